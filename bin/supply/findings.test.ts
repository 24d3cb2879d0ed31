import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { advisoriesIn, type Exception, type Lock, licencesIn } from './findings.ts'

const url = 'https://github.com/advisories/GHSA-1'
const audit = {
  vulnerabilities: {
    ws: { via: [{ url, title: 'Too much memory', severity: 'high' }] },
    'socket.io': { via: ['ws', { url: `${url}2`, title: 'A detail', severity: 'low' }] },
  },
}

test('a severe advisory is found until an exception names it, and again after its day', () => {
  const line = `ws: Too much memory (high, ${url})`
  const excused: Exception[] = [{ of: url, why: 'only behind a limit', until: '2026-12-31' }]
  expect(advisoriesIn(audit, [], '2026-12-01')).toEqual([line])
  expect(advisoriesIn(audit, excused, '2026-12-31')).toEqual([])
  expect(advisoriesIn(audit, excused, '2027-01-01')).toEqual([line])
})

test('a licence fits by one of several, or by all of a sum', () => {
  const of = (license?: string) =>
    licencesIn({ packages: { 'node_modules/a': license ? { license } : {} } }, [], '2026-12-01')
  expect([of('(GPL-2.0 OR MIT)'), of('Apache-2.0 AND LGPL-3.0-or-later')]).toEqual([[], []])
  expect([of('MIT AND SSPL-1.0'), of('BUSL-1.1'), of()]).toEqual([
    ['a: MIT AND SSPL-1.0'],
    ['a: BUSL-1.1'],
    ['a: no licence named'],
  ])
})

test('every package of the product has a licence that fits, or an exception that says why', () => {
  const read = <T>(path: string) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8')) as T
  const lock = read<Lock>('../../package-lock.json')
  // whether an exception is still valid is asked by the workflow alone: a day must not break a build of before
  expect(licencesIn(lock, read<Exception[]>('./exceptions.json'), '')).toEqual([])
})
