import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { readLink } from '../../platform/links.ts'
import { hashPassword } from '../../platform/passwords.ts'
import type { PlatformScope } from '../../platform/scope.ts'
import { type Client, type OpenedSession, openSession } from '../auth/auth.actions.ts'
import { addInvitedUser } from '../users/users.seats.ts'
import { removeInvitation } from './invitations.actions.ts'
import { openInvitation } from './invitations.queries.ts'

type Keys = Pick<Platform, 'secrets' | 'access'>

/** What a link leads to. Refuses with ERR_LINK_OVER. */
export async function followLink(platform: PlatformScope, { secrets }: Keys, token: string) {
  const linkId = readLink(secrets.links, 'invitation', token)
  const found = linkId && (await platform.transaction(sql => openInvitation(sql, linkId)))
  return found || refuse('ERR_LINK_OVER')
}

/**
 * Makes a user of who was invited, and opens his session. Refuses with ERR_LINK_OVER, ERR_NO_LIMIT_USER,
 * ERR_NO_COMPANY_PLAN (the invitation stays), ERR_EMAIL_EXISTS.
 */
export async function acceptInvitation(
  platform: PlatformScope,
  keys: Keys,
  { token, name, password }: { token: string; name: string; password: string },
  client: Client,
): Promise<OpenedSession> {
  const { invitation } = await followLink(platform, keys, token)
  const { id, companyId, email, profile, userAuthorizationId, whatsappId, queueIds } = invitation
  const passwordHash = await hashPassword(password, client.ip)
  const user = await platform.inCompany(companyId).transaction(async tx => {
    if (!(await removeInvitation(tx, id))) refuse('ERR_LINK_OVER')
    const given = { name, email, passwordHash, profile, userAuthorizationId, whatsappId, queueIds }
    return addInvitedUser(tx, given)
  })
  return openSession(platform, keys, { userId: user.id, companyId }, client)
}
