import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'
import { isOutside } from '@balcao/contract/pages.rules.ts'
import react from '@vitejs/plugin-react'
import { build, defineConfig, type Plugin, type Rolldown } from 'vite'
import { madeFrom } from '../../bin/prepare/web.js'
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

/** The large files are packed once, an eighth smaller than the server packs the others each time they are asked for. */
const packed: Plugin = {
  name: 'packed',
  apply: 'build',
  writeBundle({ dir = '' }, bundle) {
    for (const [name, made] of Object.entries(bundle)) {
      const content = made.type === 'chunk' ? made.code : made.source
      if (/\.(js|css)$/.test(name) && content.length > PACKED_FROM)
        writeFileSync(join(dir, `${name}.br`), brotliCompressSync(content))
    }
  },
}
const PACKED_FROM = 10_000

/** Chunks of /tickets that are loaded beside the entry (bench/weight.ts). */
const SCREEN = /^assets\/(lists|talk|conversation)-/

/** The service worker is one file beside the app: it knows what the app starts with, and is another with each version of that. */
const serviceWorker: Plugin = {
  name: 'service-worker',
  apply: 'build',
  generateBundle: {
    // behind what writes the pages
    order: 'post',
    async handler(_options, bundle) {
      const files = startOf(bundle)
      const made = await build({
        ...{ configFile: false, logLevel: 'warn' },
        define: {
          __FILES__: JSON.stringify(files),
          __BUILD__: JSON.stringify(createHash('sha256').update(files.join()).digest('hex').slice(0, 16)),
        },
        build: {
          ...{ write: false, target: 'es2022', copyPublicDir: false, modulePreload: false },
          rolldownOptions: { input: fileURLToPath(new URL('src/worker/worker.ts', import.meta.url)) },
        },
      })
      const [worker] = (made as Rolldown.RolldownOutput).output
      this.emitFile({ type: 'asset', fileName: 'sw.js', source: worker.code })
    },
  },
}

/** The files that the page of the app needs for its first screen and a conversation. */
function startOf(bundle: Rolldown.OutputBundle): string[] {
  const found = new Set(['/theme.js', '/favicon.svg'])
  const visit = (name: string) => {
    if (found.has(`/${name}`)) return
    found.add(`/${name}`)
    const chunk = bundle[name]
    if (chunk?.type !== 'chunk') return
    for (const css of chunk.viteMetadata?.importedCss ?? []) found.add(`/${css}`)
    for (const other of chunk.imports) visit(other)
    for (const other of chunk.dynamicImports) if (SCREEN.test(other)) visit(other)
  }
  const page = bundle['index.html']
  const html = page?.type === 'asset' ? String(page.source) : ''
  for (const [, name] of html.matchAll(/"\/(assets\/[^"]+\.(?:js|css))"/g)) visit(name!)
  return [...found]
}

/** By it a server knows whether it has the pages of its own version (bin/prepare/web.js). */
const stamped: Plugin = {
  name: 'stamped',
  apply: 'build',
  writeBundle({ dir = '' }) {
    writeFileSync(join(dir, '.made-from'), madeFrom(fileURLToPath(new URL('../..', import.meta.url))))
  },
}

const source = (name: string) => fileURLToPath(new URL(`src/${name}.tsx`, import.meta.url))

interface Modules {
  getModuleInfo(
    id: string,
  ): { code: string | null; importedIds: string[]; dynamicallyImportedIds: string[] } | null
}

/** All icons are imported by way of one file: whoever imports it needs those that it names. */
const ICONS = /\/@tabler\/icons-react\/dist\/esm\/(tabler-icons-react|icons\/index)\.mjs$/
const iconOf = (id: string) => /\/icons\/(Icon\w+)\.mjs$/.exec(id)?.[1]
/** So are the parts of Mantine, by files of their names. */
const PARTS = /\/@mantine\/(core|hooks)\/esm\/index\.mjs$/
const partOf = (id: string) =>
  /\/([\w-]+)\.mjs$/.exec(id)?.[1]?.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase()) ?? ''

/** A module and what it needs, icons by their names: at once, or also in the end. */
function allOf(module: string, when: 'at once' | 'ever', modules: Modules, known = new Set<string>()) {
  if (known.has(module)) return known
  known.add(module)
  const { code, importedIds = [], dynamicallyImportedIds = [] } = modules.getModuleInfo(module) ?? {}
  for (const [icon] of code?.matchAll(/\bIcon[A-Z]\w*/g) ?? []) known.add(icon)
  const names = new Set(code?.match(/\b\w+\b/g))
  for (const id of when === 'ever' ? [...importedIds, ...dynamicallyImportedIds] : importedIds) {
    if (ICONS.test(id)) continue
    if (!PARTS.test(id)) allOf(id, when, modules, known)
    else
      for (const part of modules.getModuleInfo(id)?.importedIds ?? [])
        if (names.has(partOf(part))) allOf(part, when, modules, known)
  }
  return known
}

/** What a screen of the app needs at once. */
const needs = (name: string) => {
  let known: Set<string> | null = null
  return (id: string, modules: Modules) => {
    known ??= allOf(source(name), 'at once', modules)
    return known.has(iconOf(id) ?? id)
  }
}
const ofApp = needs('main')
const ofLists = needs('features/messages/tickets-screen')
const ofTalk = needs('features/messages/conversation/conversation')
let outside: Set<string> | null = null
const ofOutside = (id: string, modules: Modules) => {
  outside ??= allOf(source('outside'), 'ever', modules)
  return outside.has(iconOf(id) ?? id)
}

/**
 * What the app starts with is a few files: cut in sixty pieces it is 10 kB larger gzipped, and each piece is asked for
 * by itself. The first is what the pages outside (decision 033) need of it, so that they bring nothing else of the app.
 */
const start = [
  (id: string, modules: Modules) => ofApp(id, modules) && ofOutside(id, modules) && 'both',
  (id: string, modules: Modules) => ofApp(id, modules) && 'start',
  // what a later file needs and the pages outside need too stays by itself
  (id: string, modules: Modules) =>
    !ofApp(id, modules) &&
    ofOutside(id, modules) &&
    (ofLists(id, modules) || ofTalk(id, modules)) &&
    (/([\w.-]+)\.\w+$/.exec(id)?.[1] ?? null),
  (id: string, modules: Modules) => ofLists(id, modules) && 'lists',
  (id: string, modules: Modules) => ofTalk(id, modules) && 'talk',
].map((part, at) => ({
  name: (id: string, modules: Modules) => part(id, modules) || null,
  priority: 5 - at,
  ...(at < 2 && { tags: ['$initial' as const] }),
}))

export default defineConfig({
  plugins: [contractAsData, react(), withoutSchemaWriter, packed, serviceWorker, stamped],
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      input: ['index.html', 'outside.html'],
      output: { codeSplitting: { groups: start } },
    },
  },
  server: { proxy: { '^/(?!src/|@|node_modules/|assets/|favicon|theme\\.js|icon-|badge-)': toServer } },
})
