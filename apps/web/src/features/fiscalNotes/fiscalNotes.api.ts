import { type FailedNote, fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { queryOptions } from '@tanstack/react-query'
import type { z } from 'zod'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain, queryClient } from '../../platform/query.ts'

const NOTES = 'fiscalNotes'

/** How notes are issued. */
export const fiscalSettings = queryOptions({
  queryKey: [NOTES, 'settings'],
  queryFn: () => call(fiscalNotes.settings),
})

/** Notes that were refused, the oldest first. */
export const failedNotes = pagedList(fiscalNotes.failed, 'notes', undefined, NOTES)

/** Throws ApiError. */
export async function saveFiscalSettings(body: z.input<typeof fiscalNotes.save.body>): Promise<void> {
  queryClient.setQueryData(fiscalSettings.queryKey, await call(fiscalNotes.save, { body }))
}

const of = ({ companyId, id: noteId }: FailedNote) => ({ params: { companyId, noteId } })

/** Throws ApiError. */
export async function issueAgain(note: FailedNote): Promise<void> {
  await call(fiscalNotes.again, of(note))
  await askAgain({ queryKey: [NOTES] })
}

/** Throws ApiError. */
export async function dismissNote(note: FailedNote): Promise<void> {
  await call(fiscalNotes.dismiss, of(note))
  await askAgain({ queryKey: [NOTES] })
}
