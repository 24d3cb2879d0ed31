import { chat } from '@balcao/contract/chat.ts'
import type { Platform } from '../../platform/app.ts'
import { refuse } from '../../platform/errors.ts'
import { discard } from '../../platform/http/files.ts'
import { serve } from '../../platform/http/routes.ts'
import {
  editMessage,
  listChatMessages,
  listRooms,
  search,
  sendToRoom,
  takeBackChatMessage,
} from './chat.actions.ts'
import { changeRoom, leaveRoom, openRoom, readRoom } from './chat.rooms.actions.ts'

export const routes = [
  serve(chat.rooms, (scope, { query }, { platform }) => whereOn(platform, () => listRooms(scope, query))),
  serve(chat.open, (scope, { body }, { platform }) => whereOn(platform, () => openRoom(scope, body))),
  serve(chat.change, (scope, { params, body }, { platform }) =>
    whereOn(platform, () => changeRoom(scope, params.roomId, body)),
  ),
  serve(chat.leave, (scope, { params }, { platform }) =>
    whereOn(platform, async () => {
      await leaveRoom(scope, params.roomId)
      return {}
    }),
  ),
  serve(chat.messages, (scope, { params, query }, { platform }) =>
    whereOn(platform, () => listChatMessages(scope, params.roomId, query)),
  ),
  serve(chat.send, (scope, { params, body, files }, { platform }) =>
    whereOn(platform, async () => {
      const { message, isAgain } = await sendToRoom(scope, params.roomId, body, files)
      if (isAgain) await discard(platform.files, scope.companyId, files)
      return message
    }),
  ),
  serve(chat.read, (scope, { params, body }, { platform }) =>
    whereOn(platform, () => readRoom(scope, params.roomId, body.position)),
  ),
  serve(chat.edit, (scope, { params, body }, { platform }) =>
    whereOn(platform, () => editMessage(scope, params.messageId, body.body)),
  ),
  serve(chat.remove, (scope, { params }, { platform }) =>
    whereOn(platform, () => takeBackChatMessage(scope, params.messageId)),
  ),
  serve(chat.search, (scope, { query }, { platform }) => whereOn(platform, () => search(scope, query))),
]

/** INTERNAL_CHAT of the installation: without it there is no chat. */
const whereOn = <T>({ config }: Platform, work: () => Promise<T>): Promise<T> =>
  config.internalChat ? work() : refuse('ERR_NOT_FOUND')
