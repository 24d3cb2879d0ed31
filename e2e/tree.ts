import type { Page } from '@playwright/test'

/** Of a dialog only itself: the screen below it is looked at on its own. */
export const ON_TOP = '[role=dialog][aria-modal=true]'

/** What a reader of the screen goes by: places, headings, controls, columns, lists. */
const kept = new Set(
  `banner navigation main complementary contentinfo region form search dialog alertdialog heading log
  button link textbox searchbox spinbutton combobox checkbox radio switch slider tab tablist radiogroup group toolbar
  menu menuitem menubar table grid columnheader list listbox tree meter application`.split(/\s+/),
)
/** Their content is data, which other files of the run, and the day, change. */
const data = new Set('rowgroup row listitem article option treeitem log figure definition'.split(' '))
const named = new Set(
  `button link textbox searchbox spinbutton combobox checkbox radio switch slider tab menuitem tablist radiogroup
  region form dialog columnheader table grid listbox meter heading`.split(/\s+/),
)

interface Node {
  depth: number
  role: string
  name: string
  level: string
}

const SETTLES_MS = 5_000

/** The frame of a screen as text, and what is wrong with its tree whatever the data are. */
export interface Tree {
  frame: string
  faults: string[]
}

/** The result of a request once it matches, or as it is after some seconds. */
export async function settledTree(page: Page, whole: boolean, agreed: string): Promise<Tree> {
  let tree = await treeOf(page, whole)
  for (
    const deadline = Date.now() + (agreed ? SETTLES_MS : 0);
    tree.frame !== agreed && Date.now() < deadline;
  )
    tree = await treeOf(page, whole)
  return tree
}

/**
 * The accessibility tree: of a dialog only itself; `whole` with the menu and the bar, which are the same on every
 * screen.
 */
export async function treeOf(page: Page, whole: boolean): Promise<Tree> {
  const dialog = page.locator(ON_TOP).last()
  const isDialog = (await dialog.count()) > 0
  const nodes = nodesOf(await (isDialog ? dialog : page.locator('body')).ariaSnapshot())
  const title = (await page.title()).replace(/ (· )?\(\d+\)/g, '')
  return {
    frame: [`title ${title}`, ...frameOf(nodes, whole), ''].join('\n'),
    faults: faultsOf(nodes, isDialog),
  }
}

function nodesOf(yaml: string): Node[] {
  return yaml.split('\n').flatMap(line => {
    const found = /^( *)- '?(\w+)(?: "((?:[^"\\]|\\.)*)"| \/(.*?)\/)?(.*)$/.exec(line)
    if (!found) return []
    const [, indent = '', role = '', name = '', pattern = '', rest = ''] = found
    return [
      { depth: indent.length / 2, role, name: name || pattern, level: /level=(\d)/.exec(rest)?.[1] ?? '' },
    ]
  })
}

/** The plural of what is counted at the end of a name: other files of the run, and the day, change the number. */
const COUNTED = /(?<=# \p{L}*[ao])s$/u
/** Who had no screen open for a while is away until this one is announced. */
const AVAILABLE = /^(Disponível|Em pausa|Ausente) (?=Conta de)/

/** The kept ones, each below the kept one around it; numbers are left out. */
function frameOf(nodes: Node[], whole: boolean): string[] {
  const lines: string[] = []
  const around: Node[] = []
  for (const node of nodes) {
    while (around.length > 0 && around.at(-1)!.depth >= node.depth) around.pop()
    const isData =
      around.some(({ role }) => data.has(role)) && !around.some(({ role }) => role === 'navigation')
    const isHead = node.role === 'columnheader'
    const isFolded = !whole && around.some(({ role }) => role === 'banner' || role === 'navigation')
    const isBare = node.role === 'group' && !node.name
    if (kept.has(node.role) && !isBare && (isHead || !isData) && !isFolded) {
      const depth = around.filter(({ role }) => kept.has(role)).length
      const name = node.name
        .replace(/\d+([.,:/]\d+)*/g, '#')
        .replace(COUNTED, '')
        .replace(AVAILABLE, '')
      lines.push(`${'  '.repeat(depth)}${node.role}${node.level && ` ${node.level}`}${name && ` ${name}`}`)
    }
    around.push(node)
  }
  return lines
}

function faultsOf(nodes: Node[], isDialog: boolean): string[] {
  const unnamed = nodes.filter(({ role, name }) => named.has(role) && name.trim() === '')
  const headings = nodes.filter(({ role }) => role === 'heading')
  const skipped = headings.filter(
    ({ level }, at) => Number(level) > Number(headings[at - 1]?.level ?? (isDialog ? 1 : 0)) + 1,
  )
  const counted = (role: string, level = '') =>
    nodes.filter(one => one.role === role && one.level === level).length
  return [
    ...unnamed.map(({ role }) => `a ${role} without a name`),
    ...skipped.map(({ level, name }) => `the heading "${name}" skips to level ${level}`),
    ...tablesWithoutHeads(nodes),
    ...(isDialog || counted('heading', '1') === 1 ? [] : [`${counted('heading', '1')} headings of level 1`]),
    ...(isDialog || counted('main') === 1 ? [] : [`${counted('main')} mains`]),
  ]
}

function tablesWithoutHeads(nodes: Node[]): string[] {
  return nodes.flatMap(({ role, name, depth }, at) => {
    if (role !== 'table') return []
    const behind = nodes.slice(at + 1)
    const end = behind.findIndex(one => one.depth <= depth)
    const within = behind.slice(0, end < 0 ? undefined : end)
    return within.some(one => one.role === 'columnheader')
      ? []
      : [`the table "${name}" has no column headers`]
  })
}
