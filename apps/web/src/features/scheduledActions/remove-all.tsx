import { Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { Confirm } from '../../ui/dialog.tsx'
import { useRemoval } from './removal.ts'
import { removeActions } from './scheduledActions.api.ts'
import { useScheduledActionText } from './scheduledActions.text.ts'

/** Removes every job from the queue, after a confirmation. */
export function RemoveAll() {
  const t = useScheduledActionText()
  const [isAsked, setAsked] = useState(false)
  const { run, busy } = useRemoval()
  const close = () => setAsked(false)
  return (
    <>
      <Button variant="default" leftSection={<IconTrash size={16} />} onClick={() => setAsked(true)}>
        {t('removeAll')}
      </Button>
      {isAsked && (
        <Confirm
          title={t('removeAllTitle')}
          confirm={t('removeAll')}
          danger
          busy={busy}
          onConfirm={() => void run(removeActions, t('removedAll'), t('removedAllNot')).then(close)}
          onClose={close}
        >
          {t('removeHint')}
        </Confirm>
      )}
    </>
  )
}
