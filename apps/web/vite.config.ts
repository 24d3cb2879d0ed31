import { fileURLToPath } from 'node:url'
import { isOutside } from '@balcao/contract/pages.rules.ts'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { contractAsData } from './contract-calls.ts'

const api = 'http://127.0.0.1:8080'

interface Asked {
  headers: { accept?: string; 'sec-websocket-protocol'?: string }
  url?: string
}

/**
 * Pages and calls share their paths: what asks for HTML is a page and stays here, as does the line on which Vite says
 * what was saved; the rest goes to the server.
 */
const toServer = {
  target: api,
  ws: true,
  bypass: ({ headers, url = '/' }: Asked) => {
    if (headers['sec-websocket-protocol']?.startsWith('vite-')) return url
    if (!headers.accept?.includes('text/html')) return undefined
    return isOutside(url) ? '/outside.html' : '/index.html'
  },
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

const entry = (name: string) => fileURLToPath(new URL(`src/${name}.tsx`, import.meta.url))

interface Modules {
  getModuleInfo(
    id: string,
  ): { code: string | null; importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

/** All icons are imported by way of one file: whoever imports it needs those that it names. */
const ICONS = /\/@tabler\/icons-react\/dist\/esm\/(tabler-icons-react|icons\/index)\.mjs$/
const iconOf = (id: string) => /\/icons\/(Icon\w+)\.mjs$/.exec(id)?.[1]

/** A module and what it needs, icons by their names: at once, or also in the end. */
function allOf(module: string, when: 'at once' | 'ever', modules: Modules, known = new Set<string>()) {
  if (known.has(module)) return known
  known.add(module)
  if (ICONS.test(module)) return known
  const { code, importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(module) ?? {}
  for (const [icon] of code?.matchAll(/\bIcon[A-Z]\w*/g) ?? []) known.add(icon)
  for (const id of when === 'ever' ? [...importedIds, ...dynamicallyImportedIds] : importedIds)
    allOf(id, when, modules, known)
  return known
}

let app: Set<string> | null = null
let outside: Set<string> | null = null

/**
 * What the app starts with is two files: cut in thirty pieces it weighs 10 kB more gzipped. One of them is what the
 * pages outside (decision 033) need of it, so that they bring nothing else of the app.
 */
const start = {
  tags: ['$initial' as const],
  name(id: string, modules: Modules) {
    app ??= allOf(entry('main'), 'at once', modules)
    outside ??= allOf(entry('outside'), 'ever', modules)
    const module = iconOf(id) ?? id
    if (!app.has(module)) return null
    return outside.has(module) ? 'both' : 'start'
  },
}

export default defineConfig({
  plugins: [contractAsData, react(), withoutSchemaWriter],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: ['index.html', 'outside.html'],
      output: { codeSplitting: { groups: [start] } },
    },
  },
  server: { proxy: { '^/(?!src/|@|node_modules/|assets/|favicon|theme\\.js)': toServer } },
})
