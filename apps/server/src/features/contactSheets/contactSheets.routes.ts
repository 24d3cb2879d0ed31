import { contactSheets, ROW_BY_ROW } from '@balcao/contract/contactSheets.ts'
import { serve } from '../../platform/http/routes.ts'
import { cancelSheet, chooseForSheet, stageSheet, startSheet } from './contactSheets.actions.ts'
import { exportContacts, exportRefused, exportTemplate } from './contactSheets.export.ts'
import { findSheet, newestSheet, sheetRows, toSheet } from './contactSheets.queries.ts'

export const routes = [
  serve(contactSheets.stage, (scope, { files, query }) => stageSheet(scope, files, query.delimiter)),
  serve(contactSheets.current, async scope => ({ sheet: await scope.list(newestSheet) })),
  serve(contactSheets.show, (scope, { params }) =>
    scope.read(async tx => toSheet(await findSheet(tx, params.sheetId))),
  ),
  serve(contactSheets.choose, (scope, { params, body }) => chooseForSheet(scope, params.sheetId, body)),
  serve(contactSheets.start, (scope, { params }) => startSheet(scope, params.sheetId)),
  serve(contactSheets.cancel, (scope, { params }) => cancelSheet(scope, params.sheetId)),
  serve(contactSheets.rows, (scope, { params, query }) =>
    scope.list(tx => sheetRows(tx, params.sheetId, query.pageNumber, ROW_BY_ROW)),
  ),
  serve(contactSheets.refused, (scope, { params, query }, { platform }) =>
    exportRefused(scope, platform.files, params.sheetId, query.language ?? 'ptBR'),
  ),
  serve(contactSheets.export, (scope, { query }, { platform }) =>
    exportContacts(scope, platform.files, query.format ?? 'xlsx'),
  ),
  serve(contactSheets.template, (scope, _input, { platform }) => exportTemplate(scope, platform.files)),
]
