import type { TicketStatus } from '@balcao/contract/tickets.ts'
import { clock } from '../../platform/time.ts'
import type { Named } from '../../ui/row-picker.tsx'

/** A search: text and filters. */
export interface Asked {
  searchParam: string
  status: TicketStatus | null
  contact?: Named | null
  user?: Named | null
  queueIds?: number[]
  tagIds?: number[]
  /** Of the contact. */
  categoryIds?: number[]
  /** What the company's clock shows, `YYYY-MM-DDTHH:mm`: opened from then, until then. Null for no limit. */
  from?: string | null
  until?: string | null
}

const DAYS = 30

/** So many days ago, by the company's clock: the default start of a period (TICKET-016, TICKET-036). */
export const monthAgo = () => clock().subtract(DAYS, 'day').format('YYYY-MM-DDTHH:mm')

/** No filters: everything of the last 30 days. */
export const nothingAsked = (): Asked => ({ searchParam: '', status: null, from: monthAgo() })

/** Number of active filters of a search, without its text, its status and its start. */
export const filtersIn = ({ contact, user, queueIds, tagIds, categoryIds, until }: Asked) =>
  [contact, user, queueIds?.length, tagIds?.length, categoryIds?.length, until].filter(Boolean).length

/** The filters in the key of a list and in the call. */
export const narrowing = ({ contact, user, tagIds, categoryIds, from, until }: Asked) => ({
  ...(contact && { searchContactId: contact.id }),
  ...(user && { searchUserId: user.id }),
  ...(tagIds?.length && { tags: tagIds }),
  ...(categoryIds?.length && { contactCategories: categoryIds }),
  ...(from && { searchInitialDate: from }),
  ...(until && { searchFinalDate: until }),
})
export type Narrowing = ReturnType<typeof narrowing>
