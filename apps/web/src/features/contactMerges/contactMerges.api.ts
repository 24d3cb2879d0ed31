import { contactMerges, type KeptSides } from '@balcao/contract/contactMerges.ts'
import { contacts } from '@balcao/contract/contacts.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { notify } from '../../platform/notify.tsx'
import { askAgain } from '../../platform/query.ts'
import { useMergeText } from './contactMerges.text.ts'

const MERGES = 'contactMerges'

/** Contacts that another one may be. */
export const contactsToMerge = pagedList(contacts.list, 'contacts')

export const suggestionsOptions = queryOptions({
  queryKey: [MERGES, 'suggestions'],
  queryFn: async () => (await call(contactMerges.suggestions)).suggestions,
  staleTime: 0,
})

/** Those that can be undone. */
export const mergesOptions = queryOptions({
  queryKey: [MERGES, 'list'],
  queryFn: async () => (await call(contactMerges.list)).merges,
  staleTime: 0,
})

export const previewOptions = (into: number, from: number) =>
  queryOptions({
    queryKey: [MERGES, 'preview', into, from],
    queryFn: () => call(contactMerges.preview, { query: { into, from } }),
    staleTime: 0,
    gcTime: 0,
  })

const UNDO_SECONDS = 9

/** Shows a notice that offers to undo the merge. Throws ApiError. */
export async function mergeContacts(into: number, from: number, keep: KeptSides): Promise<void> {
  const { merge, contact } = await call(contactMerges.merge, { body: { into, from, keep } })
  void askAgain()
  const t = useMergeText.read
  notify.done(t('merged', { name: contact.name }), {
    seconds: UNDO_SECONDS,
    action: { label: t('undo'), act: () => void undoMerge(merge.id) },
  })
}

export async function undoMerge(mergeId: number): Promise<void> {
  try {
    await call(contactMerges.undo, { params: { mergeId } })
    notify.done(useMergeText.read('undone'))
  } catch (error) {
    notify.failed(error)
  }
  await askAgain()
}

/** Two people: not suggested again. */
export async function keepApart(into: number, from: number): Promise<void> {
  await call(contactMerges.keepApart, { body: { into, from } }).catch(notify.failed)
  await askAgain({ queryKey: [MERGES] })
}
