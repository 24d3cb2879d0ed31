import { Button, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertCircle, IconArrowsExchange, IconCheck, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ApiError } from './call.ts'
import { errorText } from './errors.text.ts'
import { newId } from './ids.ts'
import { texts } from './text.ts'

const t = texts({ close: ['Fechar', 'Close', 'Cerrar'] })

/** Seconds that the documents give (CONST-006); the default is 3, errors stay. */
interface Said {
  seconds?: number | 'stays'
  action?: { label: string; act(): void }
  id?: string
}

const lasts = (seconds: Said['seconds'] = 3) => (seconds === 'stays' ? false : seconds * 1000)

function show(color: string, icon: ReactNode, text: ReactNode, { seconds, action, id }: Said = {}) {
  const key = id ?? newId()
  notifications.show({
    id: key,
    color,
    'data-tone': color,
    icon,
    withBorder: false,
    closeButtonProps: { 'aria-label': t.read('close') },
    autoClose: lasts(seconds),
    message: (
      <>
        {text}
        {action && (
          <Button
            variant="subtle"
            size="xs"
            mt={4}
            ml={-10}
            onClick={() => {
              notifications.hide(key)
              action.act()
            }}
          >
            {action.label}
          </Button>
        )}
      </>
    ),
  })
}

export const notify = {
  done: (text: string, said?: Said) => show('success', <IconCheck size={16} />, text, said),
  info: (text: string, said?: Said) => show('info', <IconInfoCircle size={16} />, text, said),
  warn: (text: string, said?: Said) => show('warning', <IconAlertCircle size={16} />, text, said),
  handedOver: (text: string, said?: Said) => show('info', <IconArrowsExchange size={16} />, text, said),
  /** A refusal in words; it stays until closed, with the id that finds it in the log. */
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
      { seconds: 'stays', id: `failed ${errorText(error)}` },
    )
  },
}
