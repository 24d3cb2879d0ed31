import { Button, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useId } from 'react'
import { IconButton } from '../../ui/icon-button.tsx'
import classes from './contacts.module.css'
import { useContactText } from './contacts.text.ts'

export type ContactFields = {
  name: string
  number: string
  email: string
  extraInfo: { name: string; value: string }[]
}

const MOST = 50

/** Additional fields of a contact: rows of a name and a value. */
export function ExtraInfo({ form }: { form: UseFormReturnType<ContactFields> }) {
  const t = useContactText()
  const head = useId()
  const rows = form.getValues().extraInfo
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a frame and a legend of its own
    <div role="group" aria-labelledby={head}>
      <Text id={head} size="sm" fw={600} mb={6}>
        {t('extraInfo')}
      </Text>
      <Stack gap={8}>
        {rows.map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is identified by its position until it is saved
          <div key={at} className={classes.extra}>
            <TextInput
              aria-label={t('extraName')}
              placeholder={t('extraName')}
              maxLength={100}
              {...form.getInputProps(`extraInfo.${at}.name`)}
            />
            <TextInput
              aria-label={t('extraValue')}
              placeholder={t('extraValue')}
              maxLength={1000}
              {...form.getInputProps(`extraInfo.${at}.value`)}
            />
            <IconButton
              label={t('removeExtra', { name: row.name || t('extraName') })}
              onClick={() => form.removeListItem('extraInfo', at)}
            >
              <IconTrash size={18} stroke={1.75} />
            </IconButton>
          </div>
        ))}
      </Stack>
      {rows.length < MOST && (
        <Button
          variant="subtle"
          size="xs"
          mt={6}
          leftSection={<IconPlus size={16} />}
          onClick={() => form.insertListItem('extraInfo', { name: '', value: '' })}
        >
          {t('addExtra')}
        </Button>
      )}
    </div>
  )
}
