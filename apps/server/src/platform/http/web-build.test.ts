import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, expect, test } from 'vitest'
import { commitOf } from '../observe/build.ts'
import { VERSION } from '../observe/version.ts'
import { serveWeb } from './web-app.ts'
import { checkedWebBuild } from './web-build.ts'

const folder = mkdtempSync(join(tmpdir(), 'balcao-build-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const write = (path: string, text: string) => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

/** What a browser gets of what stands in the folder, and what the log has of it. */
async function opened(language: string) {
  const lines: unknown[] = []
  const app = fastify()
  await serveWeb(app, await checkedWebBuild({ error: (facts: unknown) => void lines.push(facts) }, folder))
  const headers = { accept: 'text/html', 'accept-language': language }
  const { statusCode, body } = await app.inject({ url: '/tickets', headers })
  const script = await app.inject({ url: '/start.js' })
  return { lines, page: [statusCode, body], hasScript: script.statusCode === 200 }
}

test('a web app that is missing or of another version is not served: the page and the log say so', async () => {
  expect(await opened('pt-BR')).toMatchObject({
    lines: [{ web: 'missing' }],
    page: [503, 'A aplicação web não foi construída: npm start a constrói.'],
  })
  for (const name of ['index.html', 'outside.html', 'start.js']) write(`apps/web/dist/${name}`, 'the web app')
  for (const stamp of ['', 'abc\n', 'abc 0.0.1\n']) {
    write('apps/web/dist/.made-from', stamp)
    expect(await opened('en')).toMatchObject({
      lines: [{ web: 'stale' }],
      page: [503, 'The web app was built from another version: npm start builds it again.'],
      hasScript: false,
    })
  }
  write('apps/web/dist/.made-from', `abc ${VERSION}\n`)
  expect(await opened('en')).toEqual({ lines: [], page: [200, 'the web app'], hasScript: true })
})

test('the commit is that of a release, of a checkout, or of a second working tree', () => {
  const [one, other] = ['1'.repeat(40), '2'.repeat(40)]
  expect(commitOf(folder)).toBe(null)
  write('.git/HEAD', 'ref: refs/heads/main\n')
  write('.git/packed-refs', `# pack-refs\n${one} refs/heads/main\n`)
  expect(commitOf(folder)).toBe(one)
  write('.git/refs/heads/main', `${other}\n`)
  expect(commitOf(folder)).toBe(other)
  write('tree/.git', `gitdir: ${folder}/.git/worktrees/tree\n`)
  write('.git/worktrees/tree/HEAD', 'ref: refs/heads/main\n')
  write('.git/worktrees/tree/commondir', '../..\n')
  expect(commitOf(join(folder, 'tree'))).toBe(other)
  write('.git/worktrees/tree/HEAD', `${one}\n`)
  expect(commitOf(join(folder, 'tree'))).toBe(one)
  write('release.json', '{"commit":"no commit"}')
  expect(commitOf(folder)).toBe(null)
  write('release.json', JSON.stringify({ commit: other }))
  expect(commitOf(folder)).toBe(other)
})
