import { contacts } from '@balcao/contract/contacts.ts'
import { serve } from '../../platform/http/routes.ts'
import { addContact, changeContact, importContact, removeContact } from './contacts.actions.ts'
import { categorize } from './contacts.categories.actions.ts'
import { exportPerson } from './contacts.export.ts'
import { findCustomer } from './contacts.owners.queries.ts'
import { listContacts } from './contacts.search.queries.ts'

export const routes = [
  serve(contacts.list, (scope, { query }) => listContacts(scope, query)),
  serve(contacts.show, (scope, { params }) => scope.read(tx => findCustomer(tx, params.contactId))),
  serve(contacts.create, (scope, { body }) => addContact(scope, body)),
  serve(contacts.change, (scope, { params, body }) => changeContact(scope, params.contactId, body)),
  serve(contacts.remove, async (scope, { params }) => {
    await removeContact(scope, params.contactId)
    return {}
  }),
  serve(contacts.data, (scope, { params }, { platform }) =>
    exportPerson(scope, platform.files, params.contactId),
  ),
  serve(contacts.categorize, (scope, { body }) => categorize(scope, body.contactId, body.categoryContacts)),
  serve(contacts.importOne, (scope, { body }) => importContact(scope, body)),
]
