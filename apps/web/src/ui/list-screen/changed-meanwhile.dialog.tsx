import { Button, Group, Stack, Text } from '@mantine/core'
import { texts } from '../../platform/text.ts'
import { Dialog } from '../dialog.tsx'
import type { Conflict } from './meanwhile.ts'

const useText = texts({
  title: [
    'Outra pessoa mudou isto enquanto você editava',
    'Somebody else changed this while you were editing',
    'Otra persona cambió esto mientras usted editaba',
  ],
  titleOf: [
    '{name} mudou isto enquanto você editava',
    '{name} changed this while you were editing',
    '{name} cambió esto mientras usted editaba',
  ],
  hint: ['Agora está assim:', 'It is now:', 'Ahora está así:'],
  changed: ['mudou', 'changed', 'cambió'],
  empty: ['vazio', 'empty', 'vacío'],
  back: ['Voltar a editar', 'Go on editing', 'Seguir editando'],
  theirs: ['Usar o que está salvo', 'Use what is saved', 'Usar lo guardado'],
  mine: ['Salvar o meu', 'Save mine', 'Guardar lo mío'],
})

interface Props {
  conflict: Conflict
  /** Saves over what the other one saved. */
  onMine(): void
  /** Takes the other one's fields; null where the form cannot begin again. */
  onTheirs: (() => void) | null
  onClose(): void
}

/** Shows what somebody else saved while the form was open, and asks which of both stays. */
export function ChangedMeanwhile({ conflict, onMine, onTheirs, onClose }: Props) {
  const t = useText()
  return (
    <Dialog title={conflict.by ? t('titleOf', { name: conflict.by }) : t('title')} onClose={onClose}>
      <Stack gap={8}>
        <Text size="sm">{t('hint')}</Text>
        <dl style={{ margin: 0 }}>
          {conflict.fields.map(({ name, label, theirs, isPlain }) => (
            <div key={name}>
              <dt>
                <Text size="sm" fw={600}>
                  {label}
                </Text>
              </dt>
              <dd style={{ margin: 0 }}>
                <Text size="sm" lineClamp={4} style={{ overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' }}>
                  {isPlain ? theirs || `(${t('empty')})` : `(${t('changed')})`}
                </Text>
              </dd>
            </div>
          ))}
        </dl>
      </Stack>
      <Group justify="flex-end" gap={8} mt={20}>
        <Button variant="subtle" onClick={onClose} data-autofocus>
          {t('back')}
        </Button>
        {onTheirs && (
          <Button variant="default" onClick={onTheirs}>
            {t('theirs')}
          </Button>
        )}
        <Button onClick={onMine}>{t('mine')}</Button>
      </Group>
    </Dialog>
  )
}
