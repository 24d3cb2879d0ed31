# One image for every role: ROLES chooses what a container does. Nothing secret is built in; the server refuses to
# start without what it needs and says which variable is missing.

FROM node:24-bookworm-slim AS manifests
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY apps/server/package.json apps/server/
COPY apps/web/package.json apps/web/
COPY packages/contract/package.json packages/contract/
COPY testing/whatsapp-server/package.json testing/whatsapp-server/
COPY testing/cloud-api-server/package.json testing/cloud-api-server/
COPY testing/openai-server/package.json testing/openai-server/
COPY testing/asaas-server/package.json testing/asaas-server/
COPY testing/mercadopago-server/package.json testing/mercadopago-server/

FROM manifests AS web
RUN npm install --no-save --include=dev --loglevel=error
COPY tsconfig.base.json tsconfig.json ./
COPY packages packages
COPY apps/web apps/web
COPY bin/prepare bin/prepare
RUN cd apps/web && NODE_ENV=production npx vite build

FROM manifests AS dependencies
RUN npm install --no-save --omit=dev --loglevel=error -w apps/server -w packages/contract

FROM node:24-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data
COPY --from=dependencies /app/package.json ./
COPY --from=dependencies /app/node_modules node_modules
COPY --from=dependencies /app/apps/server apps/server
COPY packages/contract packages/contract
COPY apps/server apps/server
COPY --from=web /app/apps/web/dist apps/web/dist
COPY LICENSE README.md ./
# what `--version`, the log and the system control name: docker build --build-arg COMMIT=$(git rev-parse HEAD)
ARG COMMIT=
RUN node -e 'fs.writeFileSync("release.json", JSON.stringify({ commit: process.argv[1] }))' "$COMMIT"
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/ready`).then(a => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "apps/server/src/main.ts"]
