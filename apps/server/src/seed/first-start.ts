import { beginSignUp, signUpIsOpen } from '../features/companies/companies.settings.queries.ts'
import { plans } from '../features/companies/companies.table.ts'
import type { Platform } from '../platform/app.ts'
import type { PlatformScope } from '../platform/scope.ts'
import { demoData, demoPeople } from './demo.ts'
import { firstMaster } from './master.ts'

/**
 * What a database needs before anyone can log in; runs at every start and changes nothing the second time. Answers
 * what the operator should know, a line each.
 */
export const firstStart = (platform: Platform) => start(platform, demoData)

/** The same without anything having happened yet: for tests that build their own state. */
export const firstDay = (platform: Platform) => start(platform, demoPeople)

/** Companies are founded on it. */
export const makeStandardPlan = (platform: PlatformScope) =>
  platform.transaction(sql =>
    sql
      .insert(plans)
      .values({ name: 'Padrão', numberAttendants: 10, numberConnections: 3, isStandard: true })
      .onConflictDoNothing(),
  )

async function start(platform: Platform, demo: (platform: Platform) => Promise<void>): Promise<string[]> {
  const { config } = platform
  const platformScope = platform.scopes.platform()
  await makeStandardPlan(platformScope)
  if (config.demo) await demo(platform)
  const { userCreation } = config
  if (userCreation) await platformScope.transaction(sql => beginSignUp(sql, userCreation))
  const master = await firstMaster(platformScope, config)
  if (config.demo) return config.masterEmail ? [master] : []
  return [master, (await platformScope.transaction(signUpIsOpen)) ? OPEN : 'Sign-up is closed.']
}

const OPEN =
  'Sign-up is open: whoever reaches this address can found a company. A master closes it under /settings.'
