import type { ActionType } from '@balcao/contract/flows.ts'
import { IconClockPause, IconKeyboard, IconMessage, IconMicrophone, IconPhoto } from '@tabler/icons-react'

export const kindIcons: Record<ActionType, typeof IconMessage> = {
  SendText: IconMessage,
  SendMedia: IconPhoto,
  Composing: IconKeyboard,
  Recording: IconMicrophone,
  Delay: IconClockPause,
}
