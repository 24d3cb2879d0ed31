import { importChannel } from '@balcao/contract/imports.ts'
import { announce, everyone } from '../../platform/live.ts'
import { importMoved } from './imports.events.ts'

export const live = [
  announce(importMoved, (companyId, progress, push) => push(importChannel, everyone(companyId), progress)),
]
