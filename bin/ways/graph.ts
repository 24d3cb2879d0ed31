import { parseSync } from 'oxc-parser'
import type { Codebase } from '../rules/codebase.ts'

/** A declaration at the top of a file, or the file's other statements under the name ''. */
export interface Declaration {
  path: string
  name: string
}

interface Binding {
  path: string
  /** The exported name; '*' for a namespace import. */
  name: string
}

interface Module {
  declarations: Map<string, Node>
  imports: Map<string, Binding>
  /** `export { a as b } from './x.ts'` and `export * from './x.ts'`. */
  reexports: Map<string, Binding>
  stars: string[]
  exported: Map<string, string>
}

// biome-ignore lint/suspicious/noExplicitAny: an ESTree node; each use checks `type`
type Node = any

export interface References {
  /** Whether the file declares this at its top. */
  declares(declaration: Declaration): boolean
  /** Which declarations it refers to by value, directly or through re-exports. */
  references(from: Declaration): Declaration[]
}

export function referencesIn({ sources }: Codebase): References {
  const files = new Map(sources.map(source => [source.path, source]))
  const modules = new Map<string, Module>()
  const moduleOf = (path: string) => {
    const known = modules.get(path)
    if (known) return known
    const source = files.get(path)
    if (!source) return null
    const byName = new Map(source.targets.map(({ name, file }) => [name, file]))
    const module = read(path, source.text, name => byName.get(name) ?? null)
    modules.set(path, module)
    return module
  }

  function resolve({ path, name }: Binding, depth = 0): Declaration | null {
    const module = moduleOf(path)
    if (!module || depth > 10) return null
    const local = module.exported.get(name) ?? name
    if (module.declarations.has(local)) return { path, name: local }
    const passed = module.reexports.get(name) ?? module.imports.get(local)
    if (passed) return resolve(passed, depth + 1)
    for (const star of module.stars) {
      const found = resolve({ path: star, name }, depth + 1)
      if (found) return found
    }
    return null
  }

  return {
    declares: ({ path, name }) => moduleOf(path)?.declarations.has(name) ?? false,
    references: ({ path, name }) => {
      const module = moduleOf(path)
      const node = module?.declarations.get(name)
      if (!module || !node) return []
      return [...valuesIn(node)].flatMap(identifier => {
        if (identifier !== name && module.declarations.has(identifier)) return { path, name: identifier }
        const binding = module.imports.get(identifier)
        return (binding && resolve(binding)) ?? []
      })
    },
  }
}

function read(path: string, text: string, fileOf: (specifier: string) => string | null): Module {
  const { program } = parseSync(path, text)
  const module: Module = {
    declarations: new Map(),
    imports: new Map(),
    reexports: new Map(),
    stars: [],
    exported: new Map(),
  }
  for (const statement of program.body as Node[]) readStatement(module, statement, fileOf)
  return module
}

function readStatement(module: Module, statement: Node, fileOf: (specifier: string) => string | null) {
  const target = statement.source ? fileOf(statement.source.value) : null
  switch (statement.type) {
    case 'ImportDeclaration':
      if (target && statement.importKind !== 'type')
        for (const one of statement.specifiers as Node[])
          if (one.importKind !== 'type')
            module.imports.set(one.local.name, { path: target, name: one.imported?.name ?? '*' })
      return
    case 'ExportAllDeclaration':
      if (target) module.stars.push(target)
      return
    case 'ExportNamedDeclaration':
      if (statement.declaration) return declare(module, statement.declaration)
      for (const one of statement.specifiers as Node[])
        if (target) module.reexports.set(one.exported.name, { path: target, name: one.local.name })
        else module.exported.set(one.exported.name, one.local.name)
      return
    case 'ExportDefaultDeclaration':
      module.declarations.set('default', statement.declaration)
      return
    default:
      declare(module, statement)
  }
}

function declare({ declarations }: Module, statement: Node) {
  if (/^(Function|Class)Declaration$/.test(statement.type)) declarations.set(statement.id.name, statement)
  else if (statement.type === 'VariableDeclaration')
    for (const one of statement.declarations as Node[])
      for (const name of namesIn(one.id)) declarations.set(name, one)
}

function namesIn(pattern: Node): string[] {
  if (pattern?.type === 'Identifier') return [pattern.name]
  if (pattern?.type === 'ObjectPattern')
    return pattern.properties.flatMap((one: Node) => namesIn(one.value ?? one.argument))
  if (pattern?.type === 'ArrayPattern') return pattern.elements.flatMap(namesIn)
  return pattern?.left ? namesIn(pattern.left) : []
}

/** Names that are read as values: not types, not properties behind a dot, not keys of objects. */
function valuesIn(root: Node, found = new Set<string>()): Set<string> {
  if (Array.isArray(root)) for (const one of root) valuesIn(one, found)
  if (!root || typeof root.type !== 'string' || /^TS(?!AsExpression|Satisfies|NonNull)/.test(root.type))
    return found
  if (root.type === 'Identifier' || root.type === 'JSXIdentifier') found.add(root.name)
  for (const [key, child] of Object.entries(root)) {
    if (typeof child !== 'object' || child === null) continue
    if (key === 'property' && !root.computed) continue
    if (key === 'name' && root.type === 'JSXAttribute') continue
    if (key === 'key' && !root.computed && !root.shorthand) continue
    if (/^(typeAnnotation|typeArguments|typeParameters|returnType|superTypeArguments)$/.test(key)) continue
    valuesIn(child, found)
  }
  return found
}
