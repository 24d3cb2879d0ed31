import { companyExports } from '@balcao/contract/companyExports.ts'
import { may } from '@balcao/contract/permissions.rules.ts'
import { readLink } from '../../platform/access/links.ts'
import { refuse } from '../../platform/errors.ts'
import { keyAt } from '../../platform/files/served.ts'
import { serve, serveRaw, type Visit } from '../../platform/http/routes.ts'
import { type Scope, viewerOf } from '../../platform/scope.ts'
import { beginExport, shownExport } from './companyExports.actions.ts'
import { exportOfLink } from './companyExports.queries.ts'

/** Admins reach only their own company. Refuses with ERR_NO_COMPANY_FOUND. */
function reach(scope: Scope, companyId: number): void {
  const viewer = viewerOf(scope)
  if (may(viewer, 'master')) return
  if (!may(viewer, 'administration')) refuse('ERR_NO_PERMISSION')
  if (companyId !== scope.companyId) refuse('ERR_NO_COMPANY_FOUND')
}

const shown = async ({ platform: { scopes, secrets }, origin }: Visit, companyId: number) => ({
  export: await shownExport(scopes.platform(), { secrets, origin }, companyId),
})

export const routes = [
  serve(companyExports.show, (scope, { params }, visit) => {
    reach(scope, params.companyId)
    return shown(visit, params.companyId)
  }),
  serve(companyExports.make, async (scope, { params, body }, visit) => {
    reach(scope, params.companyId)
    const { scopes, files } = visit.platform
    const inIt = scopes.inCompany(params.companyId, viewerOf(scope), scope.requestId)
    await beginExport(scopes.platform(), inIt, files, body.language ?? 'ptBR')
    return shown(visit, params.companyId)
  }),
  serveRaw({
    method: 'GET',
    path: '/companyExport/:token',
    summary:
      'Downloads the package of a company’s data by the link of an e-mail, without a session. 404 for a link that is none or has expired.',
    async handle({ scopes, secrets, files }, { params }) {
      const id = readLink(secrets.links, 'export', params.token!)
      const found = id && (await scopes.platform().transaction(sql => exportOfLink(sql, id)))
      const key = found ? keyAt(found.mediaUrl ?? '') : null
      if (!found || !key)
        return { status: 404, text: 'Este link não vale mais. This link is not valid any more.' }
      return { open: range => files.open(found.companyId, key, range) }
    },
  }),
]
