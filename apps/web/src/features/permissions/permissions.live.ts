import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { followList } from '../../platform/lists.ts'

export const GROUPS = ['userAuthorizations']

export const followPermissions = () => followList(userAuthorizationChannel, GROUPS)
