import { MAX_FILES } from '@balcao/contract/media.ts'
import { MAX_BODY } from '@balcao/contract/messages.input.ts'
import type { Ticket } from '@balcao/contract/tickets.ts'
import { Button, Textarea } from '@mantine/core'
import { IconArrowBackUp, IconNote, IconPaperclip } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { drafts, useNote } from '../../../platform/drafts.ts'
import { newId } from '../../../platform/ids.ts'
import { notify } from '../../../platform/notify.tsx'
import { useViewer } from '../../../platform/session.tsx'
import { texts } from '../../../platform/text.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { inserted } from '../../../ui/insertion.ts'
import { accepted, checkFiles } from '../../media/files.ts'
import type { Attachment } from '../../media/upload.ts'
import { AttachmentTray, filesOf, reasonOf } from './attachments.tsx'
import { ColleagueCompletion } from './colleague-completion.tsx'
import classes from './composer.module.css'
import { failedNote, type NotePart, writeNote } from './composer.note.api.ts'
import { chosenTicket } from './early-keys.ts'

const useText = texts({
  note: ['Nota interna', 'Internal note', 'Nota interna'],
  only: [
    'Só a equipe vê; o cliente não.',
    'Only the team sees it; the customer does not.',
    'Solo la ve el equipo; el cliente no.',
  ],
  write: [
    'Escreva uma nota; @ menciona colegas e filas',
    'Write a note; @ mentions colleagues and queues',
    'Escriba una nota; @ menciona colegas y colas',
  ],
  answer: ['Voltar à resposta', 'Back to the answer', 'Volver a la respuesta'],
  save: ['Gravar nota', 'Save the note', 'Guardar nota'],
  attach: ['Anexar arquivos à nota', 'Attach files to the note', 'Adjuntar archivos a la nota'],
})

const isTouch = () => window.matchMedia('(pointer: coarse)').matches

/** The other face of the composer: what is written here stays in the company. */
export default function NoteComposer({ ticket }: { ticket: Ticket }) {
  const t = useText()
  const body = useNote(ticket.id)
  const input = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(body.length)
  const { files, busy, add, remove, save } = useNoteToKeep(ticket, body, () => input.current?.focus())
  useEffect(() => {
    if (isTouch()) return
    input.current?.focus({ preventScroll: true })
    // a field begins with the caret before its text
    input.current?.setSelectionRange(MAX_BODY, MAX_BODY)
  }, [])
  const pick = (name: string, length: number) => {
    const next = inserted(input.current, body, name, length)
    drafts.keepNote(ticket.id, next.text)
    setCaret(next.caret)
  }
  return (
    <>
      <ColleagueCompletion input={input} body={body} caret={caret} onPick={pick} />
      <form
        className={classes.composer}
        data-note
        aria-label={t('note')}
        onSubmit={event => {
          event.preventDefault()
          save()
        }}
      >
        <p className={classes.noteHead}>
          <IconNote size={16} stroke={2} aria-hidden />
          <strong>{t('note')}</strong>
          <span>{t('only')}</span>
        </p>
        <AttachmentTray files={files} onRemove={remove} />
        <Textarea
          ref={input}
          variant="unstyled"
          autosize
          minRows={1}
          maxRows={6}
          className={classes.text}
          dir="auto"
          maxLength={MAX_BODY}
          aria-label={t('write')}
          placeholder={t('write')}
          value={body}
          onSelect={event => setCaret(event.currentTarget.selectionStart)}
          onChange={event => {
            setCaret(event.currentTarget.selectionStart)
            drafts.keepNote(ticket.id, event.currentTarget.value)
          }}
          onPaste={event => {
            const pasted = filesOf(event.clipboardData)
            if (pasted.length > 0) event.preventDefault()
            void add(pasted)
          }}
          onKeyDown={event => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing || isTouch()) return
            if (event.defaultPrevented) return
            event.preventDefault()
            save()
          }}
        />
        <div className={classes.tools}>
          <Attach label={t('attach')} onFiles={given => void add(given)} />
          <IconButton label={t('answer')} shortcut="ctrl+alt+n" onClick={() => drafts.turn(ticket.id, false)}>
            <IconArrowBackUp size={19} stroke={1.75} />
          </IconButton>
          <span className={classes.gap} />
          <Button
            type="submit"
            variant="default"
            loading={busy}
            disabled={body.trim() === '' && files.length === 0}
          >
            {t('save')}
          </Button>
        </div>
      </form>
    </>
  )
}

/** Files and text of the note that is begun. Until a part is kept it has one id: sent again, it is not kept twice. */
function useNoteToKeep(ticket: Ticket, body: string, onKept: () => void) {
  const viewer = useViewer()
  const [files, setFiles] = useState<Attachment[]>([])
  const [busy, setBusy] = useState(false)
  const id = useRef(newId())
  const text = body.trim()
  const without = (key: string) => setFiles(now => now.filter(file => file.key !== key))
  async function keep() {
    setBusy(true)
    const { parts, keptOf } = partsOf(text, files, id.current)
    await writeNote(ticket, viewer, parts, part => {
      const key = keptOf.get(part)
      if (key) without(key)
      if (part !== parts[0]) return
      id.current = newId()
      // what was typed meanwhile stays
      if (drafts.note(ticket.id).trim() === text) drafts.keepNote(ticket.id, '')
    }).then(onKept, failedNote)
    setBusy(false)
  }
  return {
    files,
    busy,
    async add(more: File[]) {
      const { taken, refused } = await checkFiles(more, files.length)
      for (const one of refused) notify.warn(reasonOf(one), { seconds: 9 })
      setFiles(now => [...now, ...taken].slice(0, MAX_FILES))
    },
    remove: without,
    save() {
      const isEmpty = text === '' && files.length === 0
      if (!busy && !isEmpty && text.length <= MAX_BODY && chosenTicket() === ticket.id) void keep()
    },
  }
}

/** A text, or a note for each file: the first has the text. The key of a file is the id of its note. */
function partsOf(text: string, files: Attachment[], id: string) {
  const keptOf = new Map<NotePart, string>()
  const parts = files.map(({ key, ...attachment }, at): NotePart => {
    const part = { id: at === 0 ? id : key, body: at === 0 ? text : '', attachment }
    keptOf.set(part, key)
    return part
  })
  return { parts: parts.length > 0 ? parts : [{ id, body: text, attachment: null }], keptOf }
}

function Attach({ label, onFiles }: { label: string; onFiles(files: File[]): void }) {
  const picker = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={picker}
        type="file"
        multiple
        hidden
        accept={accepted}
        onChange={event => {
          onFiles([...(event.currentTarget.files ?? [])])
          event.currentTarget.value = ''
        }}
      />
      <IconButton label={label} onClick={() => picker.current?.click()}>
        <IconPaperclip size={19} stroke={1.75} />
      </IconButton>
    </>
  )
}
