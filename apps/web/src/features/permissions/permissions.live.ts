import { userAuthorizationChannel } from '@balcao/contract/permissions.ts'
import { followList } from '../../platform/lists.ts'
import { GROUPS } from './permissions.api.ts'

export const followPermissions = () => followList(userAuthorizationChannel, GROUPS)
