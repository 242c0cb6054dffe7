/**
 * Removes from Preact what the widget does not use: class components, hydration, portals, SVG and MathML, inline styles, raw
 * HTML, and hooks of other libraries. Bundlers keep it, because it is inside of functions that are used.
 *
 * The code is that of the published file, whose names are short. An update of Preact has other names: the build then fails,
 * and each entry has to be found again.
 */
const REMOVED: [what: string, code: string, replacement: string][] = [
  ["hook: vnode", "return!o&&n.vnode&&n.vnode(e),e", "return e"],
  ["hook: before diff", ",(s=n.__b)&&s(r);", ";"],
  ["hook: render", ",H=n.__r,", ","],
  ["hook: render", "H&&H(r),", ""],
  ["hook: diffed", "return(s=n.diffed)&&s(r),l", "return l"],
  ["hook: commit", "n.__c&&n.__c(r,t),", ""],
  ["hook: unmount", "n.unmount&&n.unmount(t),", ""],
  ["hook: root", "n.__&&n.__(t,r),", ""],
  ["hook: event", "n.event?n.event(r):r", "r"],
  ["class components", "C=(s=V.prototype)&&s.render,", "C=0,"],
  ["class components", "C?r.__c=d=new V(M,L):(r.__c", "(r.__c"],
  [
    "class components",
    ",C&&(d.__s||(d.__s=d.state),V.getDerivedStateFromProps&&(d.__s==d.state&&(d.__s=_({},d.__s)),_(d.__s,V.getDerivedStateFromProps(M,d.__s))))",
    "",
  ],
  [
    "class components",
    "M!==k&&C&&!V.getDerivedStateFromProps&&d.componentWillReceiveProps&&d.componentWillReceiveProps(M,L),",
    "",
  ],
  ["class components", "||!(4&d.__g)&&d.shouldComponentUpdate&&!1===d.shouldComponentUpdate(M,d.__s,L)", ""],
  [
    "class components",
    "d.componentWillUpdate&&d.componentWillUpdate(M,d.__s,L),C&&d.componentDidUpdate&&d.__h.push(function(){d.componentDidUpdate(k,b,m)})}else C&&!V.getDerivedStateFromProps&&d.componentWillMount&&d.componentWillMount(),C&&d.componentDidMount&&d.__h.push(d.componentDidMount);",
    "}",
  ],
  ["class components", "q=C?25:0;", "q=0;"],
  ["class components", "C&&(y.push.apply(d.__h,d.__k),d.__k=[]),", ""],
  [
    "class components",
    "d.getChildContext&&(i=_({},i,d.getChildContext())),C&&u.__c&&d.getSnapshotBeforeUpdate&&(m=d.getSnapshotBeforeUpdate(k,b)),",
    "",
  ],
  ["class components", "if(i.componentWillUnmount)try{i.componentWillUnmount()}catch(t){n.__e(t,r)}", ""],
  ["context", "j=(s=V.contextType)&&i[s.__c],L=s?j?j.props.value:s.__:i,", "L=i,"],
  ["context", "j&&j.sub(d),", ""],
  [
    "state",
    'x.prototype.setState=function(n,t){var r=this.__s;r&&r!=this.state||(r=this.__s=_({},this.state)),"function"==typeof n&&(n=n(_({},r),this.props)),n&&(_(r,n),this.__v&&(t&&this.__k.push(t),L(this)))},x.prototype.forceUpdate=function(n){this.__v&&(this.__g|=4,n&&this.__h.push(n),L(this))},x.prototype.render=$,u=[],f=0,o=function(n,t){return n.__v.__b-t.__v.__b},',
    "",
  ],
  [
    "state",
    "do{d.__g&=-9,s=d.render(d.props,d.state=d.__s,d.context)}while(8&d.__g&&++q<25);d.state=d.__s,",
    "s=d.render(d.props,d.__s,d.context);",
  ],
  [
    "error boundaries",
    "for(var i,o,e;t=t.__;)if((i=t.__c)&&!(1&i.__g)){i.__g|=4;try{if((e=(o=i.constructor)&&o.getDerivedStateFromError)&&i.setState(o.getDerivedStateFromError(n)),i.componentDidCatch&&(i.componentDidCatch(n,u||{}),e=1),e&&8&i.__g)return void(i.__g|=2)}catch(t){n=t}}throw f=0,n",
    "throw n",
  ],
  ["hydration", "128&u.__u&&(", "0&&("],
  ["hydration", "r.__v=null,c||o)if(t&&t.then){", "r.__v=null,0)if(0){"],
  ["hydration", "t&&t.then||D(r),", ""],
  ["hydration", "!u&&(i=t.__c)&&(i=i.__z)&&(", "0&&("],
  ["hydration", "u=t&&32&t.__u", "u=0"],
  ["hydration", "l&&(n.__m&&n.__m(r,o),l=!1),", ""],
  ["hydration", "!l&&o)for(", "o)for("],
  ["hydration", 'l&&"function"!=typeof k||$[s]===k', "$[s]===k"],
  ["hydration", 'l&&"textarea"!=C||(s="value"', '(s="value"'],
  ["hydration", "$===x||l&&t.data==x||", "$===x||"],
  ["portals", "if(n.props.__P)return t;", ""],
  ["portals", "||n.props.__P?null:S(n)", "?null:S(n)"],
  ["portals", "M.__P&&(s=l,", "0&&(s=l,"],
  ["portals", "M.__P&&(r.__e=null,l=s),", ""],
  ["portals", "u&&!t.props.__P", "u"],
  ["raw HTML", '"dangerouslySetInnerHTML"==s?y=k:', ""],
  ["raw HTML", '"dangerouslySetInnerHTML"==s?h=k:', ""],
  [
    "raw HTML",
    'h?(l||y&&(h.__html==y.__html||h.__html==t.innerHTML)||(t.innerHTML=h.__html),r.__k=[]):(y&&(t.textContent=""),',
    "(",
  ],
  [
    "SVG and MathML",
    '"svg"==C?f="http://www.w3.org/2000/svg":"math"==C?f="http://www.w3.org/1998/Math/MathML":f||(f="http://www.w3.org/1999/xhtml"),',
    "",
  ],
  ["SVG and MathML", "createElementNS(f,C,x.is?x:a)", "createElement(C)"],
  [
    "SVG and MathML",
    '("foreignObject"==C||"http://www.w3.org/1998/Math/MathML"==f&&v.test(C))&&(f="http://www.w3.org/1999/xhtml"),',
    "",
  ],
  [
    "SVG and MathML",
    'if("http://www.w3.org/2000/svg"==i)t=t.replace(/xlink(H|:h)/,"h").replace(/sName$/,"s");else if(',
    "if(",
  ],
  [
    "inline styles",
    'if("style"==t)if("string"==typeof r)n.style.cssText=r;else{if("string"==typeof u&&(n.style.cssText=u=""),u)for(t in u)r&&t in r||T(n.style,t);if(r)for(t in r)u&&r[t]==u[t]||T(n.style,t,r[t])}else if(',
    "if(",
  ],
  [
    "progress",
    '"progress"==C&&null==b?t.removeAttribute(s):null==b||b===t[s]&&("progress"!=C||b)||',
    "null==b||b===t[s]||",
  ],
];

/** Returns the code of Preact's module without what is removed. Throws if an entry is not in it exactly once. */
export function compactPreact(code: string): string {
  return REMOVED.reduce((rest, [what, removed, replacement]) => {
    const parts = rest.split(removed);
    if (parts.length !== 2) throw new Error(`Preact has changed: ${what}, ${parts.length - 1} × ${removed}`);
    return parts.join(replacement);
  }, code);
}
