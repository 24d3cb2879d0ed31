import {
  type BinaryNode,
  getAllBinaryNodeChildren,
  getBinaryNodeChild,
  getBinaryNodeChildBuffer,
  getBinaryNodeChildren,
} from 'baileys'

export type { BinaryNode }
export type Attrs = Record<string, string | undefined>

/** A stanza; attributes that are undefined are left out, as the wire knows no empty attribute. */
export function node(tag: string, attrs: Attrs = {}, content?: BinaryNode['content']): BinaryNode {
  const kept: Record<string, string> = {}
  for (const [name, value] of Object.entries(attrs)) if (value !== undefined) kept[name] = value
  return content === undefined ? { tag, attrs: kept } : { tag, attrs: kept, content }
}

export const child = getBinaryNodeChild
export const children = getBinaryNodeChildren
export const allChildren = getAllBinaryNodeChildren
export const firstChild = (of: BinaryNode): BinaryNode | undefined => allChildren(of)[0]

/** The bytes of a named child. Throws when the stanza lacks it: a double must not guess. */
export function childBytes(of: BinaryNode | undefined, tag: string): Buffer {
  const bytes = of && getBinaryNodeChildBuffer(of, tag)
  if (!bytes) throw new Error(`<${of?.tag}> lacks <${tag}>`)
  return Buffer.from(bytes)
}

/** An attribute that must be there. */
export function attr(of: BinaryNode, name: string): string {
  const value = of.attrs[name]
  if (!value) throw new Error(`<${of.tag}> lacks the attribute ${name}`)
  return value
}

export const seconds = (): string => Math.floor(Date.now() / 1000).toString()
