import { type OptOutSettings, OptOutSettings as schema } from '@balcao/contract/optOuts.ts'
import { Button, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inWords } from '../../platform/forms.text.ts'
import { notify } from '../../platform/notify.tsx'
import { saveStopWords, stopWords } from './optOuts.api.ts'
import { useOptOutText } from './optOuts.text.ts'

/** Keywords with which customers opt out, and the reply. */
export function StopWords() {
  const { data } = useQuery(stopWords)
  return data ? <Form settings={data} /> : null
}

function Form({ settings }: { settings: OptOutSettings }) {
  const t = useOptOutText()
  const [isOn, setOn] = useState(settings.isOn)
  const [words, setWords] = useState(settings.words.join(', '))
  const [reply, setReply] = useState(settings.reply)
  const [fault, setFault] = useState<string | null>(null)
  async function save(event: FormEvent) {
    event.preventDefault()
    const written = words.split(',').flatMap(word => word.trim() || [])
    const read = schema.safeParse({ isOn, words: written, reply })
    setFault(read.error ? inWords(read.error.issues[0]!.message) : null)
    if (read.success) await saveStopWords(read.data).then(() => notify.done(t('saved')), notify.failed)
  }
  return (
    <form onSubmit={event => void save(event)} noValidate>
      <Stack gap={10}>
        <Switch label={t('isOn')} checked={isOn} onChange={event => setOn(event.currentTarget.checked)} />
        <TextInput
          label={t('words')}
          description={t('wordsHint')}
          error={fault}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        <Textarea
          label={t('reply')}
          autosize
          minRows={1}
          maxRows={4}
          maxLength={1_000}
          value={reply}
          onChange={event => setReply(event.currentTarget.value)}
        />
        <Group justify="flex-end">
          <Button type="submit" variant="default">
            {t('save')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
