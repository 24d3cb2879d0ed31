import { texts } from '../../platform/text.ts'

export const usePresenceText = texts({
  looking: ['{name} está vendo', '{name} is looking', '{name} está mirando'],
  writing: ['{name} está respondendo', '{name} is answering', '{name} está respondiendo'],
  noting: ['{name} está anotando', '{name} is writing a note', '{name} está escribiendo una nota'],
})
