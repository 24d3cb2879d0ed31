import { fiscalNotes } from '@balcao/contract/fiscalNotes.ts'
import { serve } from '../../platform/http/routes.ts'
import { findClient } from '../clients/clients.queries.ts'
import { dismissNote, issueAgain, saveFiscalSettings } from './fiscalNotes.actions.ts'
import { failedNotes, fiscalSettings } from './fiscalNotes.queries.ts'

export const routes = [
  serve(
    fiscalNotes.settings,
    async (_scope, _input, { platform: { scopes } }) =>
      (await scopes.platform().transaction(fiscalSettings)).settings,
  ),
  serve(fiscalNotes.save, (_scope, { body }, { platform: { scopes } }) =>
    saveFiscalSettings(scopes.platform(), body),
  ),
  serve(fiscalNotes.failed, (_scope, { query }, { platform: { scopes } }) =>
    scopes.platform().transaction(sql => failedNotes(sql, query.pageNumber)),
  ),
  serve(fiscalNotes.again, async (_scope, { params }, { platform: { scopes } }) => {
    await scopes.platform().transaction(sql => findClient(sql, params.companyId))
    await issueAgain(scopes.platform(), params.companyId, params.noteId)
    return {}
  }),
  serve(fiscalNotes.dismiss, async (_scope, { params }, { platform: { scopes } }) => {
    await scopes.platform().transaction(sql => findClient(sql, params.companyId))
    await dismissNote(scopes.platform(), params.companyId, params.noteId)
    return {}
  }),
]
