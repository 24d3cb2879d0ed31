import { type Contact, contactChannel } from '@balcao/contract/contacts.ts'
import type { InfiniteData } from '@tanstack/react-query'
import { listen } from '../../platform/live.ts'
import { askAgain, patchByPush, queryClient } from '../../platform/query.ts'

export const CONTACTS = ['contacts']

interface Page {
  rows: Contact[]
  hasMore: boolean
  count: number | undefined
}
type Pages = InfiniteData<Page>

const LISTS = [...CONTACTS, 'list']
const SPREAD_MS = 1_000
/** A list scrolled further than this is not refetched whole for one more contact. */
const FEW_PAGES = 5

/**
 * A changed or deleted contact is updated at once, in every list. A new or renamed one may belong anywhere:
 * the lists are refetched, at a random moment of the next second, unless they are long by now.
 */
export function followContacts(): () => void {
  let due: ReturnType<typeof setTimeout> | undefined
  const fetchSoon = () => {
    due ??= setTimeout(() => {
      due = undefined
      if (longest() <= FEW_PAGES) void askAgain({ queryKey: LISTS })
    }, Math.random() * SPREAD_MS)
  }
  const stop = listen(contactChannel, push => {
    if (push.action === 'delete') return change(page => without(page, push.contactId))
    if (push.action === 'create' || isRenamed(push.contact)) fetchSoon()
    change(page => replaced(page, push.contact))
  })
  return () => {
    stop()
    clearTimeout(due)
  }
}

function change(of: (page: Page) => Page) {
  patchByPush<Pages>(LISTS, known => ({ ...known, pages: known.pages.map(of) }))
}

const replaced = (page: Page, contact: Contact): Page =>
  page.rows.some(({ id }) => id === contact.id)
    ? { ...page, rows: page.rows.map(row => (row.id === contact.id ? contact : row)) }
    : page

function without(page: Page, contactId: number): Page {
  const rows = page.rows.filter(({ id }) => id !== contactId)
  if (rows.length === page.rows.length) return page
  return { ...page, rows, count: page.count && page.count - 1 }
}

const lists = () =>
  queryClient.getQueriesData<Pages>({ queryKey: LISTS }).map(([, known]) => known?.pages ?? [])

const longest = () => Math.max(0, ...lists().map(pages => pages.length))

const isRenamed = ({ id, name }: Contact) =>
  lists().some(pages => pages.some(({ rows }) => rows.some(row => row.id === id && row.name !== name)))
