import { type Branding, companies } from '@balcao/contract/companies.ts'
import { serveOpen } from '../../platform/routes.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { setting } from './companies.queries.ts'

export const routes = [
  serveOpen(companies.branding, async (platform, _input, { platform: { config } }) => ({
    platformName: config.platformName,
    platformIcon: config.platformIcon,
    primaryColor: config.primaryColor,
    logoFile: config.logoFile,
    internalChat: config.internalChat,
    mapsKey: config.mapsKey,
    userCreation: await userCreation(platform),
    demo: config.demo,
    backendUrl: config.backendUrl,
  })),
]

const userCreation = async (platform: PlatformScope): Promise<Branding['userCreation']> =>
  (await platform.transaction(sql => setting(sql, 'userCreation'))) === 'disabled' ? 'disabled' : 'enabled'
