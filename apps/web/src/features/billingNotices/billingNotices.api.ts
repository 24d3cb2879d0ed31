import {
  billingNotices,
  type NoticeTrial,
  type NotificationTemplateInput,
  type SubscriptionContactInput,
} from '@balcao/contract/billingNotices.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'
import { pagedList } from '../../platform/lists.ts'
import { askAgain } from '../../platform/query.ts'

const CONTACTS = 'notification contacts'
const TEMPLATES = 'notification templates'

/** Contacts that receive the billing notices of a company. */
export const contactsOf = (companyId: number) =>
  queryOptions({
    queryKey: [CONTACTS, companyId],
    queryFn: () => call(billingNotices.listContacts, { params: { companyId } }),
    staleTime: 0,
  })

/** Adds a contact to a company, or changes one. Throws ApiError. */
export async function saveBillingContact(
  companyId: number,
  id: number | null,
  body: SubscriptionContactInput,
): Promise<void> {
  await (id === null
    ? call(billingNotices.addContact, { body: { ...body, companyId } })
    : call(billingNotices.changeContact, { params: { id }, body }))
  await askAgain({ queryKey: [CONTACTS] })
}

/** Throws ApiError. */
export async function removeBillingContact(id: number): Promise<void> {
  await call(billingNotices.removeContact, { params: { id } })
  await askAgain({ queryKey: [CONTACTS] })
}

/** Billing notices sent to a company, newest first. */
export const sentList = (companyId: number) =>
  pagedList(billingNotices.listNotices, 'notices', { companyId }, 'sent notices')

export const templateList = queryOptions({
  queryKey: [TEMPLATES],
  queryFn: () => call(billingNotices.listTemplates),
  staleTime: 0,
})

export const oneTemplate = (id: number) =>
  queryOptions({
    queryKey: [TEMPLATES, 'one', id],
    queryFn: () => call(billingNotices.showTemplate, { params: { id } }),
    staleTime: 0,
    gcTime: 0,
  })

/** Adds a template, or changes one; answers its id. Throws ApiError. */
export async function saveTemplate(id: number | null, body: NotificationTemplateInput): Promise<number> {
  const saved = await (id === null
    ? call(billingNotices.addTemplate, { body })
    : call(billingNotices.changeTemplate, { params: { id }, body }))
  await askAgain({ queryKey: [TEMPLATES] })
  return saved.id
}

/** Throws ApiError. */
export async function removeTemplate(id: number): Promise<void> {
  await call(billingNotices.removeTemplate, { params: { id } })
  await askAgain({ queryKey: [TEMPLATES] })
}

/** Sends a sample. Throws ApiError. */
export const tryTemplate = (id: number, body: NoticeTrial) =>
  call(billingNotices.tryTemplate, { params: { id }, body })
