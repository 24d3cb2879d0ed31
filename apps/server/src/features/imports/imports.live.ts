import { importChannel } from '@balcao/contract/imports.ts'
import { everyone, publish } from '../../platform/live/live.ts'
import { importMoved } from './imports.events.ts'

export const live = [
  publish(importMoved, (companyId, progress, push) => push(importChannel, everyone(companyId), progress)),
]
