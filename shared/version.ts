/** Version of the server, the widget and the npm package (semver). */
export const VERSION = "0.1.0";
