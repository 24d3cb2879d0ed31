import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconArrowsExchange, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { newId } from './ids.ts'
import { texts } from './text.ts'

const t = texts({ close: ['Fechar', 'Close', 'Cerrar'] })

/** Seconds that the documents give; the default is 3. */
interface Action {
  label: string
  act(): void
}

interface Said {
  seconds?: number | 'stays'
  action?: Action
  actions?: Action[]
  id?: string
}

const lasts = (seconds: Said['seconds'] = 3) => (seconds === 'stays' ? false : seconds * 1000)

function show(
  color: string,
  icon: ReactNode,
  text: ReactNode,
  { seconds, action, actions = [], id }: Said = {},
) {
  const key = id ?? newId()
  const said = action ? [action, ...actions] : actions
  // shown anew rather than changed: it lasts its time from here
  if (id) notifications.hide(id)
  notifications.show({
    id: key,
    color,
    'data-tone': color,
    icon,
    // an answer to one's own act does not interrupt who is being read to
    role: color === 'error' ? 'alert' : 'status',
    withBorder: false,
    closeButtonProps: { 'aria-label': t.read('close') },
    autoClose: lasts(seconds),
    message: (
      <>
        {text}
        {said.length > 0 && (
          <Group gap={4} ml={-10} mt={4} wrap="nowrap">
            {said.map(one => (
              <Button
                key={one.label}
                variant="subtle"
                size="xs"
                onClick={() => {
                  notifications.hide(key)
                  one.act()
                }}
              >
                {one.label}
              </Button>
            ))}
          </Group>
        )}
      </>
    ),
  })
}

const isFault = (error: unknown) => error instanceof ApiError && error.status >= 500

export const notify = {
  done: (text: string, said?: Said) => show('success', <IconCheck size={16} />, text, said),
  info: (text: string, said?: Said) => show('info', <IconInfoCircle size={16} />, text, said),
  warn: (text: string, said?: Said) => show('warning', <IconAlertCircle size={16} />, text, said),
  handedOver: (text: string, said?: Said) => show('info', <IconArrowsExchange size={16} />, text, said),
  /** A refusal in words. A fault of the server stays until closed: its id finds it in the log. */
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
