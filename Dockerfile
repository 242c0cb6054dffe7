# cfbe in a container: `docker build -t cfbe .`, then see docs/hosting.md.
FROM denoland/deno:2.9.6 AS build
WORKDIR /srv/cfbe
COPY . .
# Leaves what runs: the sources, the built widget, the plugin to download, and no package that only tests or the build need.
RUN deno task production:deploy && mv bridge/wordpress/dist/cfbe.zip . && rm -rf bridge dev docs e2e widget/npm widget/src \
  && mkdir -p bridge/wordpress/dist && mv cfbe.zip bridge/wordpress/dist/

FROM denoland/deno:2.9.6
WORKDIR /srv/cfbe
COPY --from=build /srv/cfbe /srv/cfbe
RUN mkdir -p /var/lib/cfbe && chown deno:deno /var/lib/cfbe
USER deno
ENV CFBE_KV=/var/lib/cfbe/cfbe.kv CFBE_HOST=0.0.0.0 DENO_NO_UPDATE_CHECK=1
# Otherwise each new container would compile the sources, and keep the compiler's 30 MB of memory.
RUN deno cache --config production.json server/main.ts
VOLUME /var/lib/cfbe
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=3s CMD ["deno", "eval", "--no-config", "const { ok } = await fetch('http://127.0.0.1:8000/readyz'); Deno.exit(ok ? 0 : 1)"]
STOPSIGNAL SIGTERM
CMD ["run", "--v8-flags=--max-semi-space-size=8,--heap-growing-percent=100", "--config", "production.json", "--no-prompt", "--cached-only", "--allow-net", "--allow-env", "--allow-read=/srv/cfbe,/var/lib/cfbe", "--allow-write=/var/lib/cfbe", "--allow-sys=statfs,uid,hostname", "server/main.ts"]
