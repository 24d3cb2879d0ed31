import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

/** One source file as the rules see it. Paths are relative to the root and use slashes. */
export interface Source {
  path: string
  text: string
  /** Its imports, and the file of this project that each names; null for other packages. */
  targets: { name: string; file: string | null }[]
  /** What it imports of this project: the paths of the files. */
  imports: string[]
  /** Those of them that it needs when it is loaded: not what is imported for its types, or later. */
  needs: string[]
  /** What it imports of others, as written. */
  packages: string[]
}

export interface Codebase {
  root: string
  sources: Source[]
}

/** One rule of the project. `find` answers a line for each violation: file, problem, remedy. */
export interface Rule {
  name: string
  find(house: Codebase): string[] | Promise<string[]>
}

const folders = ['packages', 'apps', 'testing', 'e2e', 'bench', 'bin']
const unread = new Set(['node_modules', 'dist', 'migrations', 'test-results'])

export const here = fileURLToPath(new URL('../..', import.meta.url))

/** Reads every TypeScript file of the project. Folders that are not there yet count as empty. */
export function readCodebase(root = here): Codebase {
  const paths = folders.flatMap(folder => walk(join(root, folder)))
  return { root, sources: paths.map(path => readSource(root, path)) }
}

function walk(path: string): string[] {
  if (!existsSync(path)) return []
  if (!statSync(path).isDirectory()) return /\.(tsx?|js)$/.test(path) ? [path] : []
  return readdirSync(path)
    .filter(name => !unread.has(name) && !name.startsWith('.'))
    .flatMap(name => walk(join(path, name)))
}

function readSource(root: string, file: string): Source {
  const path = relative(root, file).split(sep).join('/')
  return sourceOf(path, readFileSync(file, 'utf8'))
}

/** Splits what a file imports into this project's files and other packages. */
export function sourceOf(path: string, text: string): Source {
  const targets = specifiers(text).map(name => ({ name, file: fileOf(path, name) }))
  return {
    path,
    text,
    targets,
    imports: targets.flatMap(({ file }) => (file ? [file] : [])),
    needs: needed(text).flatMap(name => fileOf(path, name) ?? []),
    packages: targets.flatMap(({ name, file }) => (file ? [] : [name])),
  }
}

/** The paths in `import … from`, `export … from`, `import '…'` and `import('…')`, type imports too. */
function specifiers(text: string): string[] {
  const forms = [
    /^\s*(?:import|export)\b[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]/gm,
    /^\s*import\s*['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ]
  return forms.flatMap(form => [...text.matchAll(form)].map(match => match[1]!))
}

const needed = (text: string): string[] =>
  [
    ...text.matchAll(
      /^\s*(?:import|export)\b(?!\s+type\b)[^'"`;]*?\bfrom\s*['"]([^'"]+)['"]|^\s*import\s*['"]([^'"]+)['"]/gm,
    ),
  ].map(match => match[1] ?? match[2]!)

/** The folders of package.json. */
export const { workspaces }: { workspaces: string[] } = JSON.parse(
  readFileSync(join(here, 'package.json'), 'utf8'),
)

const packages = workspaces.map(folder => {
  const { name }: { name: string } = JSON.parse(readFileSync(join(here, folder, 'package.json'), 'utf8'))
  return { prefix: `${name}/`, folder: `${folder}/src/` }
})

function fileOf(importer: string, name: string): string | null {
  if (name.startsWith('.')) return posix.join(dirname(importer).split(sep).join('/'), name)
  const found = packages.find(({ prefix }) => name.startsWith(prefix))
  return found ? found.folder + name.slice(found.prefix.length) : null
}

/** A feature's file: its side, its feature, and the role in its name. */
export interface Place {
  side: 'server' | 'web'
  feature: string
  /** `routes` of tickets.routes.ts, `dialog` of accept.dialog.tsx, `index`; '' for a component or a plain name. */
  role: string
}

export function placeOf(path: string): Place | null {
  const match = /^apps\/(server|web)\/src\/features\/([^/]+)\/(?:.*\/)?([^/]+)\.(?:tsx?|css)$/.exec(path)
  if (!match) return null
  const [, side, feature, name] = match
  const parts = name!.split('.').slice(1)
  const role = name === 'index' ? 'index' : side === 'server' ? (parts.at(-1) ?? '') : parts.join('.')
  return { side: side as Place['side'], feature: feature!, role }
}

export const isTest = (path: string) =>
  /\.(test|suite|e2e)\.tsx?$/.test(path) || /(^|\/)(testing|e2e|bench)\//.test(path)
