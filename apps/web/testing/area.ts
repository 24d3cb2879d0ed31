import { fireEvent, waitFor, within } from '@testing-library/react'
import userEvent, { type UserEvent } from '@testing-library/user-event'
import { expect } from 'vitest'

type Name = string | RegExp

/**
 * A part of the page, and what users do and see there. It is queried anew at each step, and each query is
 * awaited.
 */
export interface Area {
  /** The current element. */
  element: HTMLElement
  user: UserEvent
  /** Presses a button, a link, an entry of a menu, a tab or a switch. */
  press(name: Name): Promise<void>
  /** Replaces the content of a field. */
  fill(label: Name, words: string): Promise<void>
  /** Appends letter by letter, as it is typed. */
  type(label: Name, words: string): Promise<void>
  /** Chooses an option of a list by its text, or a suggestion of a field that searches. */
  choose(label: Name, option: Name): Promise<void>
  /** Writes into a field that suggests, and chooses a suggestion. */
  pick(label: Name, words: string, option?: Name): Promise<void>
  /** Searches for a text, replacing the previous one. */
  search(words: string): Promise<void>
  /** Gives files to a file input. */
  give(...files: File[]): Promise<void>
  sees(...words: Name[]): Promise<void>
  /** Awaits the absence of all of them. */
  lacks(...words: Name[]): Promise<void>
  /** Something on the page by its role and its name. */
  find(role: string, name?: Name): Promise<HTMLElement>
  all(role: string, name?: Name): HTMLElement[]
  /** The same if it is there now, and null otherwise. */
  maybe(role: string, name?: Name): HTMLElement | null
  field(label: Name): Promise<HTMLInputElement>
  /** A part of it: a region, a group, a table. */
  part(role: string, name?: Name): Area
  row(words: Name): Area
  /** The top one of stacked dialogs. */
  dialog(name?: Name): Area
  /** No dialog is open any more. */
  closed(): Promise<void>
  /** Texts of the rows of a list or the headers of a table. */
  words(role: string): string[]
}

export function areaOf(
  where: () => HTMLElement,
  user: UserEvent = userEvent.setup({ pointerEventsCheck: 0 }),
  wait: typeof waitFor = waitFor,
): Area {
  const inside = () => within(where())
  // without layout, computed styles are not queried, which is slow
  const all = (role: string, name?: Name) =>
    inside()
      .queryAllByRole(role, { hidden: true, ...named(name) })
      .filter(isOpen)
  const found = <T>(look: () => T | undefined, what: string) =>
    wait(() => {
      const one = look()
      if (one === undefined) throw new Error(`There is no ${what}.\nThe page says: ${textOf(document.body)}`)
      return one
    })
  /** A closing dialog restores the focus, which may blur the field: then it is written once more. */
  const write = (find: () => Promise<HTMLElement>, words: string) =>
    wait(async () => {
      const field = (await find()) as HTMLInputElement
      await user.click(field)
      await user.clear(field)
      if (words) await user.paste(words)
      expect(field.value === '').toBe(words === '')
    })
  const self: Area = {
    get element() {
      return where()
    },
    user,
    async press(name) {
      await user.click(await wait(() => pressable(where(), name)))
    },
    async fill(label, words) {
      await write(() => self.field(label), words)
    },
    async type(label, words) {
      await user.type(await self.field(label), words)
    },
    async choose(label, option) {
      const field = await self.field(label)
      if (field instanceof HTMLSelectElement) return user.selectOptions(field, await optionOf(field, option))
      await user.click(field)
      await user.click(await wait(() => pressable(document.body, option, '[role=option]')))
    },
    async pick(label, words, option = words) {
      await self.fill(label, words)
      await user.click(await wait(() => pressable(document.body, option, '[role=option]')))
    },
    async search(words) {
      await write(() => self.find('searchbox'), words)
    },
    async give(...files) {
      const field = await found(
        () => where().querySelector<HTMLInputElement>('input[type=file]') ?? undefined,
        'field for files',
      )
      fireEvent.change(field, { target: { files } })
    },
    async sees(...words) {
      for (const one of words) await found(() => shown(where(), one) || undefined, `word of ${one}`)
    },
    async lacks(...words) {
      for (const one of words) await wait(() => expect(shown(where(), one), String(one)).toBe(false))
    },
    find: (role, name) => found(() => all(role, name)[0], `${role} ${name ?? ''}`),
    all,
    maybe: (role, name) => all(role, name)[0] ?? null,
    field: label => wait(() => labelled(where(), label)),
    part: (role, name) => areaOf(() => need(all(role, name)[0], `${role} ${name ?? ''}`), user, wait),
    row: words =>
      areaOf(
        () =>
          need(
            allOf(where(), 'tr, [role=row]').find(one => isIn(one.textContent, words)),
            `row with ${words}`,
          ),
        user,
        wait,
      ),
    dialog: name =>
      areaOf(
        () =>
          need(
            allOf(document.body, '[role=dialog]').findLast(
              one => name === undefined || isIn(nameOf(one), name),
            ),
            `dialog ${name ?? ''}`,
          ),
        user,
        wait,
      ),
    closed: () => wait(() => expect(allOf(document.body, '[role=dialog]').map(nameOf)).toEqual([])),
    words: role => all(role).map(one => one.textContent ?? ''),
  }
  return self
}

function need<T>(one: T | undefined, what: string): T {
  if (one === undefined) throw new Error(`There is no ${what}.\nThe page says: ${textOf(document.body)}`)
  return one
}

const isIn = (text: string | null | undefined, words: Name) =>
  typeof words === 'string' ? plain(text).includes(plain(words)) : words.test(text ?? '')
const isExactly = (text: string | null | undefined, words: Name) =>
  typeof words === 'string' && plain(text) === plain(words)
const plain = (text: string | null | undefined) => (text ?? '').replace(/\s+/g, ' ').trim().toLowerCase()

/** A part of the name is enough. */
const named = (name?: Name) => (name === undefined ? {} : { name: (full: string) => isIn(full, name) })

/** The text of the page, without the style elements in it. */
const textOf = (element: Element) =>
  element.innerHTML
    .replace(/<style[\s\S]*?<\/style>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .slice(-1_500)

const valuesOf = (element: Element) =>
  [...element.querySelectorAll<HTMLInputElement>('input, textarea')].map(({ value }) => value).join('\n')
const shown = (element: HTMLElement, words: Name) =>
  isIn(element.textContent, words) || isIn(valuesOf(element), words)

/** Not reachable: behind a dialog, or collapsed. */
const isOpen = (one: Element) => !one.closest('[aria-hidden=true], [hidden]')
const allOf = (element: Element, selector: string) =>
  [...element.querySelectorAll<HTMLElement>(selector)].filter(isOpen)

/** The accessible name, as far as it is cheap to compute. */
function nameOf(one: HTMLElement): string {
  const labelled = one
    .getAttribute('aria-labelledby')
    ?.split(' ')
    .map(id => document.getElementById(id)?.textContent)
  const own = one.getAttribute('aria-label') ?? (labelled?.join(' ') || null)
  const labels = (one as HTMLInputElement).labels
  return (
    own ?? (labels?.length ? [...labels].map(label => label.textContent).join(' ') : (one.textContent ?? ''))
  )
}

const PRESSED =
  'button, a, summary, [role=button], [role=menuitem], [role=tab], [role=switch], [role=option], [role=radio], [role=checkbox], [role=treeitem], input'

/** An exact match of the name, or else one that contains it; or else one by its text. */
function pressable(element: HTMLElement, name: Name, what = PRESSED): HTMLElement {
  const all = allOf(element, what)
  // of suggestion lists the last opened is last
  if (what !== PRESSED) all.reverse()
  const found =
    all.find(one => isExactly(nameOf(one), name)) ??
    all.find(one => isIn(nameOf(one), name)) ??
    allOf(element, 'label, span, p, td, li, h1, h2, h3').find(one => isExactly(one.textContent, name))
  expect(
    found,
    `something to press called ${name}; there are: ${all.map(nameOf).filter(Boolean).join(' | ')}`,
  ).toBeDefined()
  return found!
}

function labelled(element: HTMLElement, label: Name): HTMLInputElement {
  const all = allOf(element, 'input, textarea, select, [role=slider], [role=combobox], button[aria-haspopup]')
  const found = all.find(one => isExactly(nameOf(one), label)) ?? all.find(one => isIn(nameOf(one), label))
  expect(found, `a field called ${label}; there are: ${all.map(nameOf).join(' | ')}`).toBeDefined()
  return found as HTMLInputElement
}

const optionOf = (field: HTMLSelectElement, words: Name) =>
  waitFor(() => {
    const all = [...field.options]
    const found = all.find(({ text }) => isExactly(text, words)) ?? all.find(({ text }) => isIn(text, words))
    expect(found, `${words} among ${all.map(({ text }) => text).join(' | ')}`).toBeDefined()
    return found!
  })
