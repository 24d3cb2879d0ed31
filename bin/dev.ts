import { spawn } from 'node:child_process'
import type { IncomingMessage } from 'node:http'
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'

// The server starts again when one of its files is saved; the page changes in place (Vite), and what it asks of the
// API goes on to the server, so that the browser sees one origin as in production.

const port = Number(process.env.PORT ?? 8080)
const pagePort = Number(process.env.DEV_PORT ?? port + 1)
const api = `http://127.0.0.1:${port}`

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'apps/server/src/main.ts'], {
  stdio: 'inherit',
  env: { ...process.env, PORT: String(port) },
})
const pages = await servePages()
console.log(`\nThe page that reloads on save: http://localhost:${pagePort}\n`)

let stopping = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop)
server.on('exit', stop)

async function stop() {
  if (stopping) return
  stopping = true
  await pages.close()
  if (server.exitCode === null) server.kill('SIGTERM')
  else process.exit()
  server.on('exit', () => process.exit())
}

async function servePages() {
  const vite = createRequire(new URL('../apps/web/package.json', import.meta.url)).resolve('vite')
  const { createServer }: typeof import('vite') = await import(pathToFileURL(vite).href)
  const toApi = { target: api, ws: true, bypass: forVite }
  const pages = await createServer({
    root: new URL('../apps/web', import.meta.url).pathname,
    server: { port: pagePort, strictPort: true, host: '127.0.0.1', proxy: { '/': toApi } },
  })
  return pages.listen()
}

const ofApi = /^\/(api|media|socket\.io)\//
const ofVite = /^\/(@|src\/|node_modules\/|__)/

/** What Vite answers by itself: pages, and what a page loads as code or style. Undefined: the server answers. */
function forVite({ url = '/', headers }: IncomingMessage) {
  if (ofApi.test(url)) return undefined
  if (headers['sec-fetch-dest'] === 'document') return '/index.html'
  const dest = headers['sec-fetch-dest'] ?? 'empty'
  return ofVite.test(url) || dest !== 'empty' ? url : undefined
}
