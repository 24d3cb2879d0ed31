import { due } from '../../platform/due.ts'
import { endOver } from './flows.running.ts'
import { RUNS_AT_ONCE, runsOver } from './flows.runs.ts'

export const dues = [
  due('flows.over', async ({ scopes }) => {
    const over = await scopes.platform().transaction(runsOver)
    for (const { companyId, id } of over) await endOver(scopes.inCompany(companyId), id)
    return over.length === RUNS_AT_ONCE
  }),
]
