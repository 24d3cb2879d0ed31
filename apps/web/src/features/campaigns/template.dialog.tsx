import type { CampaignTemplate } from '@balcao/contract/campaignShapes.ts'
import { campaignPlaces, templateText } from '@balcao/contract/campaigns.words.rules.ts'
import { headerOf, isFile, missingIn, numberedText } from '@balcao/contract/cloud.templates.rules.ts'
import type { CloudTemplate } from '@balcao/contract/cloud.ts'
import { Button, Checkbox, Stack } from '@mantine/core'
import { useState } from 'react'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { useUnsaved } from '../../ui/unsaved.ts'
import { TemplateChoice } from '../cloud/template-choice.tsx'
import { TemplatePlaces } from '../cloud/template-places.tsx'
import { useCreatorText } from './campaigns.creator.text.ts'
import classes from './campaigns.module.css'

interface Props {
  whatsappId: number
  /** The message has a file, which the header of a template may show. */
  hasFile: boolean
  onTake(template: CampaignTemplate): void
  onClose(): void
}

/**
 * An approved template and values for its placeholders; a value may hold `{{nome}}` and the columns of a
 * spreadsheet.
 */
export function CampaignTemplateDialog({ whatsappId, hasFile, onTake, onClose }: Props) {
  const t = useCreatorText()
  const [chosen, setChosen] = useState<CloudTemplate | null>(null)
  const take = (template: CampaignTemplate) => {
    onTake(template)
    onClose()
  }
  return (
    <Dialog title={t('chooseTemplate')} onClose={onClose} size={620}>
      {chosen ? (
        <Fill
          template={chosen}
          hasFile={hasFile}
          onTake={take}
          onBack={() => setChosen(null)}
          onClose={onClose}
        />
      ) : (
        <TemplateChoice whatsappId={whatsappId} onChoose={setChosen} onClose={onClose} />
      )}
    </Dialog>
  )
}

interface FillProps {
  template: CloudTemplate
  hasFile: boolean
  onTake(template: CampaignTemplate): void
  onBack(): void
  onClose(): void
}

function Fill({ template, hasFile, onTake, onBack, onClose }: FillProps) {
  const t = useCreatorText()
  const [variables, setVariables] = useState(() => template.placeholders.map(() => ''))
  useUnsaved(variables.some(Boolean))
  const [usesFile, setUsesFile] = useState(hasFile)
  const withFile = headerOf(template) !== null && usesFile
  const isMissing = missingIn(template, variables, { hasFile: withFile }).length > 0
  const { name, language } = template
  const text = numberedText(template)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        event.stopPropagation()
        const filled = variables.map((one, at) =>
          withFile && isFile(template.placeholders[at]!.kind) ? '' : one.trim(),
        )
        if (!isMissing) onTake({ name, language, text, variables: filled, withFile })
      }}
    >
      <Stack gap={12}>
        {template.placeholders.length > 0 && (
          <p className={classes.hint}>
            {t('templatePlaces', { places: campaignPlaces.map(place => `{{${place}}}`).join(' ') })}
          </p>
        )}
        <TemplatePlaces
          places={template.placeholders}
          variables={variables}
          onChange={setVariables}
          hasFile={withFile}
          fileChoice={
            <Checkbox
              label={t('withFile')}
              description={hasFile ? undefined : t('withFileFirst')}
              disabled={!hasFile}
              checked={withFile}
              onChange={event => setUsesFile(event.currentTarget.checked)}
            />
          }
        />
        <figure className={classes.shown}>
          <figcaption className={classes.hint}>{t('templatePreview')}</figcaption>
          <p className={classes.bubble} data-template-preview>
            {templateText(text, variables)}
          </p>
        </figure>
      </Stack>
      <DialogActions onClose={onClose}>
        <Button variant="default" onClick={onBack}>
          {t('otherTemplate')}
        </Button>
        <Button type="submit" disabled={isMissing}>
          {t('takeTemplate')}
        </Button>
      </DialogActions>
    </form>
  )
}
