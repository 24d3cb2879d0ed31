import { texts } from '../../platform/text.ts'

export const useLocationText = texts({
  add: ['Adicionar localização', 'Add location', 'Agregar ubicación'],
  edit: ['Editar localização', 'Edit location', 'Editar ubicación'],
  back: ['Voltar', 'Go back', 'Volver'],
  maps: ['Mapa', 'Map', 'Mapa'],
  mapOf: ['Mapa de {name}', 'Map of {name}', 'Mapa de {name}'],
  openMap: ['Abrir no mapa', 'Open in the map', 'Abrir en el mapa'],
  name: ['Nome', 'Name', 'Nombre'],
  address: ['Endereço ou nome do lugar', 'Address or name of the place', 'Dirección o nombre del lugar'],
  find: ['Buscar', 'Search', 'Buscar'],
  found: ['Endereços encontrados', 'Addresses found', 'Direcciones encontradas'],
  addressNotFound: [
    'Nenhum endereço foi encontrado',
    'No address was found',
    'No se encontró ninguna dirección',
  ],
  noKey: [
    'A busca por endereço precisa da MAPS_KEY nesta instalação. Escreva as coordenadas ou cole o link de um mapa.',
    'The address search needs MAPS_KEY in this installation. Write the coordinates or paste the link of a map.',
    'La búsqueda por dirección necesita MAPS_KEY en esta instalación. Escriba las coordenadas o pegue el enlace de un mapa.',
  ],
  position: ['Posição: lat, lng', 'Position: lat, lng', 'Posición: lat, lng'],
  badPosition: [
    'Escreva a latitude e a longitude, como -23.5505, -46.6333, ou cole o link de um mapa',
    'Write latitude and longitude, like -23.5505, -46.6333, or paste the link of a map',
    'Escriba latitud y longitud, como -23.5505, -46.6333, o pegue el enlace de un mapa',
  ],
  none: ['Nenhuma localização cadastrada', 'No saved locations', 'No hay ubicaciones guardadas'],
  noneHint: [
    'Os lugares salvos aqui podem ser enviados nas conversas.',
    'Places saved here can be sent in conversations.',
    'Los lugares guardados aquí se pueden enviar en las conversaciones.',
  ],
  removeTitle: [
    'Excluir a localização {name}?',
    'Delete the location {name}?',
    '¿Eliminar la ubicación {name}?',
  ],
  removeHint: [
    'As mensagens já enviadas continuam mostrando o lugar.',
    'Messages already sent keep showing the place.',
    'Los mensajes ya enviados siguen mostrando el lugar.',
  ],
  created: ['Localização criada com sucesso', 'Location created', 'Ubicación creada con éxito'],
  updated: ['Localização atualizada com sucesso', 'Location updated', 'Ubicación actualizada con éxito'],
  deleted: ['Localização excluída com sucesso', 'Location deleted', 'Ubicación eliminada con éxito'],
})
