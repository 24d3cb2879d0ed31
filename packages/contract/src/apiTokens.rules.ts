import type { ApiSendMessageToken } from './apiTokens.ts'
import type { Viewer } from './permissions.rules.ts'
import { may } from './permissions.rules.ts'

/** Admins and its owner; other users of the company copy it (ROLE-005, ROLE-006). */
export const mayChangeToken = (viewer: Viewer, { userId }: Pick<ApiSendMessageToken, 'userId'>): boolean =>
  may(viewer, 'admin') || userId === viewer.id
