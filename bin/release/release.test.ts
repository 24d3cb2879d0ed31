import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { isHeld, notesOf } from './contents.ts'

const tracked = execFileSync('git', ['ls-files'], { encoding: 'utf8' }).split('\n').filter(Boolean)

test('a release holds the product with its sources, and no tests or tools', () => {
  const held = tracked.filter(isHeld)
  for (const path of [
    ...['package.json', 'package-lock.json', '.npmrc', 'LICENSE', 'CHANGELOG.md', 'docs/operating.md'],
    ...['bin/prepare.js', 'bin/prepare/install.js', 'deploy/balcao.service', 'Dockerfile', 'compose.yaml'],
    ...['deploy/chart/templates/deployments.yaml', 'apps/server/migrations/meta/_journal.json'],
    ...['apps/server/src/main.ts', 'apps/server/migrations/0000_baseline.sql', 'apps/web/vite.config.ts'],
  ])
    expect(held).toContain(path)
  expect(held.filter(path => /(\.test\.|\/testing\/|^e2e\/|^bench\/|^\.github\/)/.test(path))).toEqual([])
  // npm reads the manifest of each workspace, also of those that are not held
  const { workspaces } = JSON.parse(readFileSync('package.json', 'utf8')) as { workspaces: string[] }
  for (const workspace of workspaces) expect(held).toContain(`${workspace}/package.json`)
})

test('the notes of a version are its part of the changelog', () => {
  const changelog = '# Changelog\n\nWords.\n\n## 0.2.0\n\n### Added\n- One.\n\n## 0.1.0\n\n- Two.\n'
  expect(notesOf(changelog, '0.2.0')).toBe('### Added\n- One.')
  expect(notesOf(changelog, '0.1.0')).toBe('- Two.')
  expect(notesOf(changelog, '0.1')).toBe(null)
})
