import { registerHooks } from 'node:module'
import '../postgres/drizzle/loading.ts'

const contract = new URL('../../../../../packages/contract/src/', import.meta.url).href
const CONTRACT = '@balcao/contract/'

/**
 * Resolves imports of the product's own files, which are written with their full names. Node would read the file, its real
 * path and every package.json above it from the disk for each of thousands of imports, a fifth of the loading time. Imports
 * before this module are resolved by Node, so `main.ts` imports it first.
 */
registerHooks({
  resolve(specifier, context, next) {
    const { parentURL } = context
    if (!specifier.endsWith('.ts') || !parentURL || parentURL.includes('/node_modules/'))
      return next(specifier, context)
    if (specifier.startsWith('.')) return found(new URL(specifier, parentURL).href)
    if (specifier.startsWith(CONTRACT)) return found(contract + specifier.slice(CONTRACT.length))
    return next(specifier, context)
  },
})

const found = (url: string) => ({ url, format: 'module-typescript' as const, shortCircuit: true })
