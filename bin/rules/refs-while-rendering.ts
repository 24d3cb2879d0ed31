import { parseSync } from 'oxc-parser'
import { isTest, type Rule, type Source } from './codebase.ts'

/**
 * React renders a component more often than it shows it: what a discarded rendering wrote into a ref is there
 * nevertheless. Refs are changed in handlers and effects; what an effect reads of the newest rendering is a
 * `useEffectEvent`.
 */
export const noRefsWhileRendering: Rule = {
  name: 'no ref is changed while rendering',
  find: ({ sources }) =>
    sources
      .filter(({ path, text }) => path.startsWith('apps/web/src/') && !isTest(path) && CHANGED.test(text))
      .flatMap(source =>
        changesIn(source).map(
          line =>
            `${source.path}:${line} changes a ref while rendering: use state, an effect or useEffectEvent`,
        ),
      ),
}

const CHANGED = /\.current\b[\w.]*\s*(?:[-+*/|&?]*=[^=]|\+\+|--)/

/** Components and hooks, by their names; also as `memo(function Row() {…})`. */
const RENDERS = /^(?:use)?[A-Z]/

// biome-ignore lint/suspicious/noExplicitAny: an ESTree node; each use checks `type`
type Node = any

/** The lines on which a component or a hook itself, not a function within it, assigns to a `.current`. */
function changesIn({ path, text }: Source): number[] {
  const lines: number[] = []
  const visit = (node: Node, name: string, rendering: boolean) => {
    if (!node || typeof node !== 'object') return
    if (Array.isArray(node)) {
      for (const one of node) visit(one, '', rendering)
      return
    }
    const isFunction = /Function/.test(node.type ?? '')
    const inside = isFunction ? RENDERS.test(node.id?.name ?? name) : rendering
    const target = node.type === 'AssignmentExpression' ? node.left : node.argument
    const assigns = node.type === 'AssignmentExpression' || node.type === 'UpdateExpression'
    if (inside && assigns && isOfRef(target)) lines.push(text.slice(0, node.start).split('\n').length)
    const named = node.type === 'VariableDeclarator' ? (node.id.name ?? '') : ''
    for (const child of Object.values(node)) visit(child, named, inside)
  }
  visit(parseSync(path, text).program, '', false)
  return lines
}

const isOfRef = ({ object, property }: Node): boolean =>
  property?.name === 'current' || (object !== undefined && isOfRef(object))
