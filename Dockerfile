# mcpmux over HTTP, as a user without rights. docs/guides/team.md says how to run it.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN node tools/run.mjs build -p cli

FROM node:24-bookworm-slim
COPY --from=build /src/packages/cli/package.json /src/packages/cli/LICENSE /src/packages/cli/THIRD-PARTY-NOTICES.md /opt/mcpmux/
COPY --from=build /src/packages/cli/bin /opt/mcpmux/bin
COPY --from=build /src/packages/cli/dist /opt/mcpmux/dist
RUN ln -s /opt/mcpmux/bin/mcpmux.cjs /usr/local/bin/mcpmux \
  && mkdir /config \
  && echo '{ "mcpServers": {} }' > /config/config.json

ENV NODE_ENV=production \
  MCPMUX_CONFIG=/config/config.json
# the user `node` of the image, as a number: Kubernetes can tell that it is not root
USER 1000:1000
WORKDIR /home/node
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]

# a token is required: MCPMUX_HTTP_TOKEN, or --token-file
ENTRYPOINT ["mcpmux"]
CMD ["serve", "--http", "0.0.0.0:8080"]
