module example.com/plants
