import { z } from 'zod'
import { channel, id, idList, instant, page, pageQuery, route, text } from './kit.ts'

export const Category = z.object({ id: z.int(), name: z.string(), color: z.string() })

/** A customer of years has thousands of tickets, and every list and push carries its contacts. */
export const MAX_TICKETS_NAMED = 40

export const Contact = z.object({
  id: z.int(),
  name: z.string(),
  /** Digits as they were given, country code first; empty while only a LID is known. */
  number: z.string(),
  email: z.string(),
  lid: z.string(),
  profilePicUrl: z.string(),
  isGroup: z.boolean(),
  extraInfo: z.array(z.object({ id: z.int(), name: z.string(), value: z.string() })),
  /** The documents name both lists; they hold the same (OP-24). */
  categoryContacts: z.array(Category),
  categoriesContactsAssociates: z.array(Category),
  commandBot: z.string(),
  /** The newest of them; how many there are says the count. */
  tickets: z.array(z.object({ id: z.int() })).max(MAX_TICKETS_NAMED),
  ticketsCount: z.int(),
  createdAt: instant,
  updatedAt: instant,
})
export type Contact = z.infer<typeof Contact>

const number = z
  .string({ error: 'Required' })
  .trim()
  .min(1, 'Required')
  .transform(given => given.replace(/\D/g, ''))
  .pipe(z.string().min(8, 'Too Short!').max(50, 'Too Long!'))

export const ContactInput = z.object({
  name: text(2, 50),
  number,
  email: z.email('Invalid email').or(z.literal('')).nullable().optional(),
  extraInfo: z
    .array(
      z.object({
        id: z.int().optional(),
        name: z.string().trim().min(1).max(100),
        value: z.string().max(1000),
      }),
    )
    .max(50)
    .optional(),
})

export const ContactChange = ContactInput.partial().extend({ commandBot: z.string().max(100).optional() })

const contactId = z.object({ contactId: id })

export const contacts = {
  list: route('GET', '/contacts', {
    needs: 'session',
    says: 'Contacts of the company by name; searchParam matches name and number.',
    query: pageQuery.extend({ selectedContactCategories: idList.optional() }),
    reply: page('contacts', Contact).extend({ count: z.int() }),
  }),
  show: route('GET', '/contacts/:contactId', {
    needs: 'session',
    says: 'One contact.',
    params: contactId,
    reply: Contact,
  }),
  create: route('POST', '/contacts', {
    aliases: ['/contact'],
    needs: 'session',
    says: 'Adds a contact; a number already known answers ERR_DUPLICATED_CONTACT.',
    body: ContactInput,
    reply: Contact,
  }),
  change: route('PUT', '/contacts/:contactId', {
    aliases: ['/contact/:contactId'],
    needs: 'session',
    says: 'Changes a contact.',
    params: contactId,
    body: ContactChange,
    reply: Contact,
  }),
  remove: route('DELETE', '/contacts/:contactId', {
    needs: 'contacts-page:deleteContact',
    says: 'Removes a contact with its tickets and messages.',
    params: contactId,
  }),
  importOne: route('POST', '/contacts/import', {
    aliases: ['/contactsImport'],
    needs: 'session',
    says: 'Adds or refreshes one row of a spreadsheet.',
    body: z.object({ name: text(2, 50), number, email: z.string().max(200).nullable().optional() }),
    reply: Contact,
  }),
}

export const contactChannel = channel(
  'contact-{companyId}',
  z.discriminatedUnion('action', [
    z.object({ action: z.enum(['create', 'update']), contact: Contact }),
    z.object({ action: z.literal('delete'), contactId: z.int() }),
  ]),
)
