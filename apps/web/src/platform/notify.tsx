import { Text } from '@mantine/core'
import { IconAlertCircle, IconArrowsExchange, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { newId } from './ids.ts'
import { type Action, type Notice, notices } from './notices.ts'

interface Options {
  /** From the documents; default 3. */
  seconds?: number | 'stays'
  action?: Action
  actions?: Action[]
  id?: string
}

const lasts = (seconds: Options['seconds'] = 3) => (seconds === 'stays' ? null : seconds * 1000)

function show(
  tone: Notice['tone'],
  icon: ReactNode,
  text: ReactNode,
  { seconds, action, actions = [], id }: Options = {},
) {
  notices.show({
    id: id ?? newId(),
    tone,
    icon,
    text,
    actions: action ? [action, ...actions] : actions,
    lastsMs: lasts(seconds),
  })
}

const isFault = (error: unknown) => error instanceof ApiError && error.status >= 500

export const notify = {
  done: (text: string, options?: Options) => show('success', <IconCheck size={16} />, text, options),
  info: (text: string, options?: Options) => show('info', <IconInfoCircle size={16} />, text, options),
  warn: (text: string, options?: Options) => show('warning', <IconAlertCircle size={16} />, text, options),
  handedOver: (text: string, options?: Options) =>
    show('info', <IconArrowsExchange size={16} />, text, options),
  /** An error as text. A fault of the server stays until closed: its id finds it in the log. */
  failed(error: unknown) {
    const requestId = error instanceof ApiError ? error.requestId : undefined
    show(
      'error',
      <IconAlertCircle size={16} />,
      <>
        {errorText(error)}
        {requestId && (
          <Text size="xs" c="dimmed" className="mono">
            {requestId.slice(0, 8)}
          </Text>
        )}
      </>,
      { ...(isFault(error) && { seconds: 'stays' }), id: `failed ${errorText(error)}` },
    )
  },
}
