import { type RefObject, useEffect } from 'react'

interface Keys {
  isOpen: boolean
  listId: string
  /** The option that Enter picks. */
  optionId: string | undefined
  onMove(by: 1 | -1): void
  onPick(): void
  onClose(): void
}

/**
 * While a list is open above a field, its keys belong to the list: they are caught on the field itself,
 * before the form handles Enter and Escape. Screen readers announce the marked option though the focus stays
 * in the field.
 */
export function useListKeys(input: RefObject<HTMLTextAreaElement | null>, keys: Keys) {
  const { isOpen, listId, optionId, onMove, onPick, onClose } = keys
  useEffect(() => {
    const field = input.current
    if (!field || !isOpen) return
    const acts = new Map([
      ['ArrowDown', () => onMove(1)],
      ['ArrowUp', () => onMove(-1)],
      ['Enter', onPick],
      ['Tab', onPick],
      ['Escape', onClose],
    ])
    const onKey = (event: KeyboardEvent) => {
      const act = acts.get(event.key)
      if (!act || event.isComposing || event.shiftKey || event.ctrlKey || event.altKey || event.metaKey)
        return
      event.preventDefault()
      event.stopPropagation()
      act()
    }
    field.addEventListener('keydown', onKey)
    return () => field.removeEventListener('keydown', onKey)
  })
  useEffect(() => {
    const field = input.current
    if (!field || !optionId) return
    const attributes = {
      'aria-autocomplete': 'list',
      'aria-controls': listId,
      'aria-activedescendant': optionId,
      // Escape is of the list, not of a dialog around the field
      'data-mantine-stop-propagation': 'true',
    }
    for (const [name, value] of Object.entries(attributes)) field.setAttribute(name, value)
    return () => {
      for (const name of Object.keys(attributes)) field.removeAttribute(name)
    }
  }, [input, listId, optionId])
}
