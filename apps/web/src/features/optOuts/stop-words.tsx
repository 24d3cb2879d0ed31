import { type OptOutSettings, OptOutSettings as schema } from '@balcao/contract/optOuts.ts'
import { Button, Group, Stack, Switch, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { inWords } from '../../platform/forms.text.ts'
import { notify } from '../../platform/notify.tsx'
import { useMeanwhile } from '../../ui/list-screen/use-meanwhile.tsx'
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
  const [kept, setKept] = useState(settings)
  const meanwhile = useMeanwhile()
  async function save(seen = kept) {
    const written = words.split(',').flatMap(word => word.trim() || [])
    const read = schema.safeParse({ isOn, words: written, reply })
    setFault(read.error ? inWords(read.error.issues[0]!.message) : null)
    if (!read.success) return
    try {
      await saveStopWords(read.data, seen)
      setKept(read.data)
      notify.done(t('saved'))
    } catch (error) {
      if (!meanwhile.asks(error, current => void save(current as OptOutSettings))) notify.failed(error)
    }
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    void save()
  }
  return (
    <form onSubmit={submit} noValidate>
      {meanwhile.question}
      <Stack gap={10}>
        <Switch
          data-path="isOn"
          label={t('isOn')}
          checked={isOn}
          onChange={event => setOn(event.currentTarget.checked)}
        />
        <TextInput
          data-path="words"
          label={t('words')}
          description={t('wordsHint')}
          error={fault}
          value={words}
          onChange={event => setWords(event.currentTarget.value)}
        />
        <Textarea
          data-path="reply"
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
