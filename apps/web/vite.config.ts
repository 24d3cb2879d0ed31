import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractAsData } from './contract-calls.ts'

const api = 'http://127.0.0.1:8080'

/** Pages and calls share their paths: what asks for HTML is a page and stays here, the rest goes to the server. */
const toServer = {
  target: api,
  ws: true,
  bypass: (request: { headers: { accept?: string }; url?: string }) =>
    request.headers.accept?.includes('text/html') ? '/index.html' : undefined,
}

/**
 * zod describes shapes as JSON schema, which the server does for the API's description and no screen does: 6 kB
 * gzipped at the start. What it exports stays there, so that a zod that needs more of it does not build.
 */
const withoutSchemaWriter: Plugin = {
  name: 'without-schema-writer',
  apply: 'build',
  transform: {
    filter: { id: /zod\/v4\/core\/(to-json-schema|json-schema-processors)\.js$/ },
    handler: code =>
      [
        ...Array.from(
          code.matchAll(/^export (?:const|function) (\w+)/gm),
          ([, name]) => `export const ${name} = () => undefined`,
        ),
        ...(code.match(/^export \{.*$/gm) ?? []),
      ].join('\n'),
  },
}

/** What every page starts with is one file: cut in thirty pieces it weighs 10 kB more gzipped. */
const start = { name: 'start', tags: ['$initial' as const] }

export default defineConfig({
  plugins: [contractAsData, react(), withoutSchemaWriter],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: { output: { codeSplitting: { groups: [start] } } },
  },
  server: { proxy: { '^/(?!src/|@|node_modules/|assets/|favicon)': toServer } },
})
